/** A document, and how often it was written. */
export interface StoredDocument {
  readonly revision: number;
  /** Plain data that the store does not look into. */
  readonly value: unknown;
}

/**
 * What is learnt from use and can be learnt again: habits, histories of files, calibrations. Documents live in spaces, as
 * memories do, and what is in one space is never seen from another.
 */
export interface DocumentShelf {
  get(space: string, name: string): Promise<StoredDocument | undefined>;
  /** Writes a document whole; `false` where it was written since (`revision` 0: where it is there already). */
  put(space: string, name: string, document: StoredDocument): Promise<boolean>;
  /** Names of a space's documents that begin so, in order. */
  names(space: string, prefix?: string): Promise<readonly string[]>;
  /** Erases one, or all of a space whose names begin so. */
  erase(space: string, name: string | { readonly prefix: string }): Promise<void>;
}
