import type { CompactionEvent } from "../../compact/window.ts";
import { SessionBusyError } from "../../errors/session-errors.ts";
import { messageOf } from "../../internal/text.ts";
import type { SessionEmitter, SessionEvents } from "../session-events.ts";
import type { SessionRepository } from "./session-repository.ts";

/** Milliseconds between two attempts to take a lease that another process holds. */
const POLL_INTERVAL = 50;

/** A compaction that is about to run. */
interface StartedCompaction extends Pick<SessionEvents["compaction:start"], "modelLimit" | "reason"> {
  readonly event: CompactionEvent;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The lease that allows one compaction per session at a time, across processes. It is renewed while it is held, and
 * expires if this process dies. Listeners are notified when the compaction starts and when it is over.
 */
export class SessionLease {
  readonly #repository: SessionRepository;
  readonly #emitter: SessionEmitter;
  #stopRenewing: (() => Promise<void>) | undefined;
  /** The compaction that was started and is not over yet. */
  #started: CompactionEvent | undefined;

  constructor(repository: SessionRepository, emitter: SessionEmitter) {
    this.#repository = repository;
    this.#emitter = emitter;
  }

  /**
   * Takes the lease, unless it is held already, and loads the session again: the previous holder may have changed it.
   * Then the compaction has to be planned again before it can start.
   *
   * @returns whether the compaction has started, because the session is unchanged.
   * @throws SessionBusyError if another process keeps the lease for longer than `lockWait`.
   */
  async take({ event, signal, ...start }: StartedCompaction): Promise<boolean> {
    if (this.#stopRenewing === undefined) {
      const { store, key, holder, deps } = this.#repository;
      for (let waited = 0; ; waited += POLL_INTERVAL) {
        signal?.throwIfAborted();
        if (await store.sessions.lease(key, holder, deps.lockTime)) break;
        if (waited >= deps.lockWait) throw new SessionBusyError(key.sessionId);
        await new Promise<void>((resolve) => setTimeout(resolve, POLL_INTERVAL));
      }
      this.#stopRenewing = keepRenewing((time) => store.sessions.lease(key, holder, time), deps.lockTime);
      if (!(await this.#repository.load())) return false;
    }
    this.#started = event;
    this.#emitter.send("compaction:start", { tokensBefore: event.tokensBefore, ...start });
    return true;
  }

  /**
   * Gives the lease back, if it was taken. If that fails, the lease expires by itself.
   *
   * @param stored The compaction that was started, if it was stored. Otherwise no tokens were saved.
   */
  async release(stored?: CompactionEvent): Promise<void> {
    if (this.#started !== undefined) {
      const { tokensBefore, masksBefore } = this.#started;
      this.#started = undefined;
      this.#emitter.send("compaction:complete", {
        tokensBefore,
        tokensAfter: stored?.tokensAfter ?? tokensBefore,
        messagesCompacted: stored?.compactedMessageIds.length ?? 0,
        wasPruned: Object.keys(masksBefore).length > 0,
        wasSummarized: stored !== undefined && stored.withoutProse === undefined,
      });
    }
    if (this.#stopRenewing === undefined) return;
    await this.#stopRenewing();
    this.#stopRenewing = undefined;
    const { store, key, holder, deps } = this.#repository;
    try {
      await store.sessions.lease(key, holder, 0);
    } catch (error) {
      const why = messageOf(error);
      deps.logger.warn(`Could not release the lease of session ${key.sessionId}; it expires by itself: ${why}`);
    }
  }
}

/** Takes or renews a lease for `milliseconds`, or releases it (0). Resolves to whether it is held. */
type LeaseFor = (milliseconds: number) => Promise<boolean>;

/** Runs work while this process holds a lease. Does nothing if another process holds it. */
export async function withRenewedLease(lease: LeaseFor, lockTime: number, work: () => Promise<void>): Promise<void> {
  if (!(await lease(lockTime))) return;
  const stopRenewing = keepRenewing(lease, lockTime);
  try {
    await work();
  } finally {
    await stopRenewing();
    await lease(0);
  }
}

/** Renews a lease until the returned function is called. */
function keepRenewing(lease: LeaseFor, lockTime: number): () => Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let renewal = Promise.resolve(true);
  const wait = () => {
    if (isOver) return;
    timer = setTimeout(() => {
      // A failed renewal is tried again. A lost lease shows when the commit fails.
      renewal = lease(lockTime).catch(() => false);
      renewal.then(wait);
    }, lockTime / 3);
  };
  wait();
  return async () => {
    isOver = true;
    clearTimeout(timer);
    await renewal;
  };
}
