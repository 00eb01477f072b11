import type { EventLog, NewEvent, StoredEvent } from "../../ports/server-shelf.ts";
import type { Logger } from "../../session/session-context.ts";
import type { Caller } from "../server-env.ts";

/** Milliseconds after which those who listen look for what other servers wrote. */
const LOOK_AGAIN = 500;
const PAGE = 200;

export interface Listening {
  readonly owner: string;
  /** Events of a project's memories are for who works on it; those without one are for all of the owner. */
  readonly projectId: string | undefined;
  readonly sessionId?: string;
  /** Only those behind this one; what comes from now on, where nothing is said. */
  readonly after?: number;
  readonly signal: AbortSignal;
}

export interface HubOptions {
  readonly log: EventLog;
  readonly logger: Logger;
}

/** What happens, told to those who listen at this server, whichever server it happened at. */
export class EventHub {
  readonly #log: EventLog;
  readonly #logger: Logger;
  readonly #waiting = new Set<() => void>();

  constructor({ log, logger }: HubOptions) {
    this.#log = log;
    this.#logger = logger;
  }

  /** Tells of something. What was done is done: where it cannot be told, that is logged and nothing fails. */
  async publish(
    { userId, projectId }: Pick<Caller, "userId" | "projectId">,
    event: Pick<NewEvent, "type" | "sessionId" | "data">,
  ): Promise<void> {
    try {
      await this.#log.append([{ ...event, owner: userId, ...(projectId !== undefined && { projectId }) }]);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.#logger.warn(`The event ${event.type} could not be told: ${why}`);
    }
    for (const wake of [...this.#waiting]) wake();
  }

  /** Events in their order, for as long as somebody listens. `undefined` comes when nothing happened for a while. */
  async *listen({ owner, projectId, sessionId, after, signal }: Listening): AsyncGenerator<StoredEvent | undefined> {
    const newest = await this.#log.last();
    // A store that was restored from a backup counts on from before.
    let last = Math.min(after ?? newest, newest);
    const filter = { owner, limit: PAGE, ...(sessionId !== undefined && { sessionId }) };
    while (!signal.aborted) {
      // Whoever publishes while we read is not waited for.
      const woken = this.#wait(signal);
      const events = await this.#log.read({ ...filter, after: last });
      for (const event of events) {
        last = event.sequence;
        if (event.projectId === undefined || event.projectId === projectId) yield event;
      }
      if (events.length === 0) {
        await woken.promise;
        yield undefined;
      }
      woken.end();
    }
  }

  #wait(signal: AbortSignal): { readonly promise: Promise<void>; readonly end: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LOOK_AGAIN);
    this.#waiting.add(resolve);
    signal.addEventListener("abort", () => resolve(), { once: true });
    const end = () => {
      clearTimeout(timer);
      this.#waiting.delete(resolve);
      resolve();
    };
    return { promise: promise.then(end), end };
  }
}
