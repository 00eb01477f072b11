/** Hands out every id once: who wants a second `a` gets `a~2`. */
export class UniqueIds {
  readonly #used = new Set<string>();
  /** The number to try next, so that many equal ids do not mean many tries. */
  readonly #next = new Map<string, number>();

  take(wanted: string): string {
    let id = wanted;
    let next = this.#next.get(wanted) ?? 2;
    while (this.#used.has(id)) {
      id = `${wanted}~${next}`;
      next += 1;
    }
    if (id !== wanted) this.#next.set(wanted, next);
    this.#used.add(id);
    return id;
  }
}
