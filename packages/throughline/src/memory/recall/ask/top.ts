/** Keeps the best of what it is shown, at most `limit`. */
export class Top<T> {
  readonly #limit: number;
  readonly #isBefore: (a: T, b: T) => boolean;
  readonly #best: T[] = [];

  constructor(limit: number, isBefore: (a: T, b: T) => boolean) {
    this.#limit = limit;
    this.#isBefore = isBefore;
  }

  /** The best first. */
  get best(): readonly T[] {
    return this.#best;
  }

  /** The last one that is kept, once there is no room for more. */
  get last(): T | undefined {
    return this.#best[this.#limit - 1];
  }

  show(item: T): void {
    if (this.last !== undefined && !this.#isBefore(item, this.last)) return;
    let low = 0;
    let high = this.#best.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#isBefore(item, this.#best[middle] as T)) high = middle;
      else low = middle + 1;
    }
    this.#best.splice(low, 0, item);
    if (this.#best.length > this.#limit) this.#best.pop();
  }
}
