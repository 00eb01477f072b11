/** Lets either other threads read an index, or this one change it. A change that waits comes first. */
export class IndexLock {
  #readers = 0;
  #changes = 0;
  #waiting: (() => void)[] = [];

  /** Waits for changes of all the given indexes, then locks them. Returns a function that unlocks them. */
  static async read(locks: readonly IndexLock[]): Promise<() => void> {
    for (;;) {
      const changing = locks.find((lock) => lock.#changes > 0);
      if (changing === undefined) break;
      await changing.#next();
    }
    for (const lock of locks) lock.#readers += 1;
    return () => {
      for (const lock of locks) {
        lock.#readers -= 1;
        lock.#wake();
      }
    };
  }

  /** Calls `change` when no other thread reads: at once if none does. */
  async change<T>(change: () => T): Promise<T> {
    this.#changes += 1;
    try {
      while (this.#readers > 0) await this.#next();
      return change();
    } finally {
      this.#changes -= 1;
      this.#wake();
    }
  }

  #next(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
