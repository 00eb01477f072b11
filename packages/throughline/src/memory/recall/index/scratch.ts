type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

/**
 * Arrays for one question after the other. Each is as long as an index has documents: to make them anew every time gives the
 * garbage collector megabytes to take away.
 */
export class Scratch {
  readonly #kept = new Map<string, Numbers>();

  /** So many zeros. They are taken back when the same name is asked for again. */
  take<T extends Numbers>(name: string, Kind: new (length: number) => T, length: number): T {
    const known = this.#kept.get(name);
    if (known !== undefined && known.length === length) return known.fill(0) as T;
    const made = new Kind(length);
    this.#kept.set(name, made);
    return made;
  }
}
