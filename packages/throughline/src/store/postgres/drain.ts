import { StoreError } from "../../errors/store-errors.ts";

/** Tracks running operations. Refuses new ones once closing, and waits for the running ones. */
export class Drain {
  readonly #inside = new Set<Promise<unknown>>();
  #isClosed = false;

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new StoreError("closed", "The store is closed.");
    const running = work();
    this.#inside.add(running);
    try {
      return await running;
    } finally {
      this.#inside.delete(running);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#inside);
  }
}
