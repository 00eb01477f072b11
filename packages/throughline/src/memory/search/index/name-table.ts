/** Number of an unknown name. No document has it. */
export const UNKNOWN = -2;

/** Assigns numbers to names, so that a document stores one number per name. */
export class Names {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];

  get size(): number {
    return this.#names.length;
  }

  /** The number of a name, assigned if it is new; -1 for no name. */
  add(name: string | undefined): number {
    if (name === undefined) return -1;
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    this.#numbers.set(name, this.#names.length);
    this.#names.push(name);
    return this.#names.length - 1;
  }

  /** The number of a known name; {@link UNKNOWN} for others; -1 for no name. */
  find(name: string | undefined): number {
    return name === undefined ? -1 : (this.#numbers.get(name) ?? UNKNOWN);
  }

  name(number: number): string | undefined {
    return this.#names[number];
  }

  all(): readonly string[] {
    return this.#names;
  }
}
