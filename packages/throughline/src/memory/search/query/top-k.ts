/** Keeps the best `limit` of the items that are offered to it. */
export class TopK<T> {
  readonly #limit: number;
  readonly #isBefore: (a: T, b: T) => boolean;
  readonly #best: T[] = [];

  constructor(limit: number, isBefore: (a: T, b: T) => boolean) {
    this.#limit = limit;
    this.#isBefore = isBefore;
  }

  /** Best first. */
  get best(): readonly T[] {
    return this.#best;
  }

  /** The worst kept item, if the limit is reached. */
  get last(): T | undefined {
    return this.#best[this.#limit - 1];
  }

  offer(item: T): void {
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
