/** A named byte array. */
export interface StoredBlob {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Blobs to write in one transaction. */
export interface BlobWrite {
  /** The epoch of the space (`memories.head`) when the content of the blobs was read. */
  readonly epoch: number;
  /** A blob replaces the stored one with the same name. Of two with one name the last one counts. */
  readonly blobs: readonly StoredBlob[];
  /** Names of blobs to remove, unless `blobs` has them. */
  readonly remove?: readonly string[];
}

/**
 * Byte arrays that are derived from the memories of a space, such as segments of a search index. They can be made
 * again:
 * `memories.erase` deletes all blobs of its space in the same transaction, because they may contain what is erased.
 * Content is encrypted as that of memories is; names are not.
 */
export interface BlobStore {
  /**
   * Returns blobs by name, in the order of `names`. Unknown names are skipped.
   *
   * @param space Space of the blobs.
   * @param names Names to read, or a prefix to read all blobs whose names start with it, sorted by name.
   */
  get(space: string, names: readonly string[] | { readonly prefix: string }): Promise<readonly StoredBlob[]>;
  /**
   * Returns the names of the blobs of a space, sorted.
   *
   * @param space Space of the blobs.
   * @param prefix Only names that start with it. Default: all.
   */
  list(space: string, prefix?: string): Promise<readonly string[]>;
  /**
   * Writes and removes blobs, all or none.
   *
   * @param space Space of the blobs.
   * @param write Blobs to write and names to remove, with the epoch that they are based on.
   * @returns `false` if the space has another epoch than `write.epoch`: memories were erased that the blobs may
   *   contain, and nothing is written.
   */
  put(space: string, write: BlobWrite): Promise<boolean>;
  /**
   * Deletes blobs. No deleted data remains in files.
   *
   * @param space Space of the blobs.
   * @param name One name, or a prefix to delete all blobs whose names start with it.
   */
  delete(space: string, name: string | { readonly prefix: string }): Promise<void>;
}
