/** Numbers names, so that documents hold a number each. */
export class Names {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];

  get size(): number {
    return this.#names.length;
  }

  /** The number of a name; -1 for none. */
  add(name: string | undefined): number {
    if (name === undefined) return -1;
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#names.length);
    this.#names.push(name);
    return this.#names.length - 1;
  }

  /** The number of a name that is there already; -2, which no document has, for another. */
  find(name: string | undefined): number {
    return name === undefined ? -1 : (this.#numbers.get(name) ?? -2);
  }

  name(number: number): string | undefined {
    return this.#names[number];
  }

  all(): readonly string[] {
    return this.#names;
  }
}
