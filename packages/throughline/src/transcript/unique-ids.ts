/** Makes ids unique: a second `a` becomes `a~2`. */
export class UniqueIds {
  readonly #used = new Set<string>();
  /** Next number per id, so that many equal ids take linear time. */
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
