import { messageOf } from "../internal/message-of.ts";
import type { Logger } from "../ports/logger.ts";

interface RunningWork {
  readonly name: string;
  readonly controller: AbortController;
  /** Never rejects. */
  readonly done: Promise<void>;
}

/** Background work. `close` ends it at the latest; failures are logged. */
export class BackgroundWork {
  readonly #logger: Logger;
  /** Keeps a short-lived process alive until a promise settles. */
  readonly #waitUntil: ((work: Promise<void>) => void) | undefined;
  readonly #running = new Set<RunningWork>();
  #isClosed = false;

  constructor(logger: Logger, waitUntil?: (work: Promise<void>) => void) {
    this.#logger = logger;
    this.#waitUntil = waitUntil;
  }

  /**
   * Starts work, unless `close` was called.
   *
   * @param name Session that the work is for.
   * @param work Has to end soon after its signal is aborted.
   * @returns a function that stops the work; `undefined` if it was not started.
   */
  run(name: string, work: (signal: AbortSignal) => Promise<void>): AbortController | undefined {
    if (this.#isClosed) return undefined;
    const controller = new AbortController();
    const done = work(controller.signal)
      .catch((error: unknown) => this.#logger.warn(`Background work for session ${name} failed: ${messageOf(error)}`))
      .finally(() => this.#running.delete(running));
    const running = { name, controller, done };
    this.#running.add(running);
    try {
      this.#waitUntil?.(done);
    } catch (error) {
      this.#logger.warn(`waitUntil failed: ${messageOf(error)}`);
    }
    return controller;
  }

  /** Stops the work for a session and waits for its end. */
  stop(name: string): Promise<void> {
    return this.#end([...this.#running].filter((work) => work.name === name));
  }

  /** Stops all work and waits for its end. No work starts after that. */
  close(): Promise<void> {
    this.#isClosed = true;
    return this.#end([...this.#running]);
  }

  async #end(all: readonly RunningWork[]): Promise<void> {
    for (const { controller } of all) controller.abort();
    await Promise.all(all.map(({ done }) => done));
  }
}
