/** What is told at any time, to be taken when somebody asks. */
export class EventQueue<T> {
  #events: T[] = [];
  #wake = Promise.withResolvers<void>();

  push(event: T): void {
    this.#events.push(event);
    this.#wake.resolve();
  }

  /** Settles when there is something to take. */
  get arrival(): Promise<void> {
    return this.#wake.promise;
  }

  take(): T[] {
    const taken = this.#events;
    this.#events = [];
    this.#wake = Promise.withResolvers();
    return taken;
  }
}
