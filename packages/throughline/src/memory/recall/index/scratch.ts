type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

/**
 * Arrays that are reused from query to query. Each has one element per document, so new ones for each query would make
 * megabytes of garbage.
 */
export class Scratch {
  readonly #kept = new Map<string, Numbers>();

  /** An array of zeros. It is valid until the same name is requested again. */
  take<T extends Numbers>(name: string, Kind: new (length: number) => T, length: number): T {
    const known = this.#kept.get(name);
    if (known !== undefined && known.length === length) return known.fill(0) as T;
    const made = new Kind(length);
    this.#kept.set(name, made);
    return made;
  }
}
