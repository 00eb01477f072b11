interface Kept<T> {
  readonly revision: string;
  readonly value: Promise<T>;
}

/** Answers that were found before they were needed. An answer is worth nothing any more once something was written. */
export class Prefetched<T> {
  readonly #most: number;
  /** The one that was asked for last stands last. */
  readonly #kept = new Map<string, Kept<T>>();

  constructor(most: number) {
    this.#most = most;
  }

  /** The answer for this revision: as it is kept, as it is being found already, or found now. */
  get(key: string, revision: string, find: () => Promise<T>): Promise<T> {
    const known = this.#kept.get(key);
    return known?.revision === revision ? this.#keep(key, known) : this.put(key, revision, find());
  }

  /** Keeps an answer in place of the one that is there. One that fails is not kept. */
  put(key: string, revision: string, value: Promise<T>): Promise<T> {
    const kept = { revision, value };
    value.catch(() => {
      if (this.#kept.get(key) === kept) this.#kept.delete(key);
    });
    return this.#keep(key, kept);
  }

  drop(key: string): void {
    this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }

  #keep(key: string, kept: Kept<T>): Promise<T> {
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (oldest !== undefined && this.#kept.size > this.#most) this.#kept.delete(oldest);
    return kept.value;
  }
}
