import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import type { SqlTransaction } from "../sql/sql-driver.ts";
import type { Connection } from "./connection.ts";

type Work<T> = (tx: SqlTransaction) => Promise<T>;

/** Maximum writes that join the transaction of another one. */
const MAX_JOINED = 31;
/** One of so many writes waits for others to join it, even if none did the last time. */
const TRIED = 16;

/** A brief write that waits for its turn. */
export interface BriefWrite<T> {
  /** Returns its result, or throws its error, if it ran in the committed transaction of another write. */
  readonly outcome: (() => T) | undefined;
  /** Runs it, and those that wait behind it, in one transaction. */
  readonly run: (connection: Connection) => Promise<T>;
  /** Must be called after the commit of this transaction. */
  readonly committed: () => void;
  /** Must be called at the end. */
  readonly remove: () => void;
}

interface Waiting {
  readonly work: Work<unknown>;
  outcome: (() => unknown) | undefined;
}

/**
 * Gathers brief writes, such as appended messages, into one transaction: a commit takes more time than their statements.
 * Each joins in a savepoint, so that one that fails is undone by itself. None is acknowledged before the commit.
 */
export class GatheredWrites {
  readonly #waiting = new Set<Waiting>();
  #count = 0;
  /** True if other writes joined the last one that waited for some. */
  #isJoined = false;

  add<T>(work: Work<T>): BriefWrite<T> {
    // Others may run it, but in the asynchronous context of its caller.
    const own: Waiting = { work: AsyncLocalStorage.bind(work), outcome: undefined };
    let joined: ReadonlyMap<Waiting, () => unknown> = new Map();
    this.#waiting.add(own);
    return {
      get outcome() {
        return own.outcome as (() => T) | undefined;
      },
      run: async (connection) => {
        this.#waiting.delete(own);
        const result = await own.work(connection);
        joined = await this.#join(connection);
        return result as T;
      },
      committed: () => {
        for (const [write, outcome] of joined) write.outcome = outcome;
      },
      remove: () => void this.#waiting.delete(own),
    };
  }

  /** Runs the writes that wait. Those that the commit does not store, because it fails, run again in their turn. */
  async #join(connection: Connection): Promise<ReadonlyMap<Waiting, () => unknown>> {
    const joined = new Map<Waiting, () => unknown>();
    this.#count += 1;
    const isTried = this.#isJoined || this.#count % TRIED === 0;
    // Requests that have arrived get this far in a turn of the event loop.
    if (isTried && this.#waiting.size === 0) await setImmediate();
    for (const write of this.#waiting) {
      if (joined.size >= MAX_JOINED) break;
      if (write.outcome === undefined) joined.set(write, await connection.savepoint(write.work));
    }
    if (isTried) this.#isJoined = joined.size > 0;
    return joined;
  }
}
