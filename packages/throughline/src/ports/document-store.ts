/** A document and its revision: how often it was written. */
export interface StoredDocument {
  readonly revision: number;
  /** Plain data. The store does not look into it. */
  readonly value: unknown;
}

/**
 * Named JSON documents: habits, file histories, calibrations and settings. A document belongs to a space, as a memory
 * does, and is invisible from other spaces.
 */
export interface DocumentStore {
  get(space: string, name: string): Promise<StoredDocument | undefined>;
  /**
   * Replaces a document if its stored revision is `document.revision` (0: if it does not exist), and increments the
   * revision. Resolves to `false` otherwise; then nothing is written.
   */
  put(space: string, name: string, document: StoredDocument): Promise<boolean>;
  /** Names of the documents of a space that start with `prefix`, sorted. */
  list(space: string, prefix?: string): Promise<readonly string[]>;
  /** Deletes one document, or all documents of a space whose names start with a prefix. Leaves no trace in files. */
  delete(space: string, name: string | { readonly prefix: string }): Promise<void>;
}
