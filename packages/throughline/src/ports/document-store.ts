/** Name of the document with the commits of a project. */
export const COMMIT_HISTORY = "predict/history";

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
  /**
   * Returns a document; `undefined` if it does not exist.
   *
   * @param space Space of the document.
   * @param name Name of the document.
   */
  get(space: string, name: string): Promise<StoredDocument | undefined>;
  /**
   * Replaces a document and increments its revision.
   *
   * @param space Space of the document.
   * @param name Name of the document.
   * @param document New value, with the revision that it is based on; 0 for a new document.
   * @returns `false` if the stored revision is another one; then nothing is written.
   */
  put(space: string, name: string, document: StoredDocument): Promise<boolean>;
  /**
   * Returns the names of the documents of a space, sorted.
   *
   * @param space Space of the documents.
   * @param prefix Only names that start with it. Default: all.
   */
  list(space: string, prefix?: string): Promise<readonly string[]>;
  /**
   * Deletes documents. No deleted data remains in files.
   *
   * @param space Space of the documents.
   * @param name One name, or a prefix to delete all documents whose names start with it.
   */
  delete(space: string, name: string | { readonly prefix: string }): Promise<void>;
}
