/** Holds a state and notifies listeners of changes. */
export class Notifier<State extends object> {
  #state: State;
  readonly #listeners = new Set<() => void>();

  constructor(state: State) {
    this.#state = state;
  }

  // Bound, because React calls them without their object.
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getSnapshot = (): State => this.#state;

  protected set(change: Partial<State>): void {
    this.replace({ ...this.#state, ...change });
  }

  protected replace(state: State): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener();
  }
}
