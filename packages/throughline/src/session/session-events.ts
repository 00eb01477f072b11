import type { Logger } from "../ports/logger.ts";
import type { OpenSession } from "./open-session.ts";

/** What a session tells while it works. */
export interface SessionEvents {
  "compaction:start": {
    readonly tokensBefore: number;
    readonly modelLimit: number;
    readonly reason: "overflow" | "manual";
  };
  "compaction:complete": {
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly messagesCompacted: number;
    readonly wasPruned: boolean;
    readonly wasSummarized: boolean;
  };
  "prune:complete": {
    readonly outputsPruned: number;
    readonly tokensSaved: number;
    readonly prunedTools: readonly string[];
  };
}

export type SessionEventType = keyof SessionEvents;

export type SessionEvent = {
  [T in SessionEventType]: { readonly type: T; readonly sessionId: string; readonly data: SessionEvents[T] };
}[SessionEventType];

export type SessionListener = (event: SessionEvent) => void;

/** News of other processes look like this in a store. */
interface SharedEvent {
  readonly from: string;
  readonly event: SessionEvent;
}

/** Tells listeners here, and through the store those of other processes; one that throws does not stop the others. */
export class SessionEmitter {
  readonly #open: OpenSession;
  readonly #logger: Logger;
  readonly #listeners = new Set<SessionListener>();
  #unsubscribe: Promise<(() => Promise<void>) | undefined> | undefined;

  constructor(open: OpenSession, logger: Logger) {
    this.#open = open;
    this.#logger = logger;
  }

  on(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    this.#unsubscribe ??= this.#subscribe();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      const unsubscribe = this.#unsubscribe;
      this.#unsubscribe = undefined;
      unsubscribe?.then((stop) => stop?.()).catch((error) => this.#warn("The news did not end", error));
    };
  }

  tell<T extends SessionEventType>(type: T, data: SessionEvents[T]): void {
    const event = { type, sessionId: this.#open.key.sessionId, data } as SessionEvent;
    this.#emit(event);
    const shared: SharedEvent = { from: this.#open.holder, event };
    this.#open.store.news
      ?.publish(this.#open.key, shared)
      .catch((error) => this.#warn("Other processes were not told", error));
  }

  async #subscribe(): Promise<(() => Promise<void>) | undefined> {
    try {
      return await this.#open.store.news?.subscribe(this.#open.key, (news) => {
        const { from, event } = news as SharedEvent;
        if (from !== this.#open.holder) this.#emit(event);
      });
    } catch (error) {
      this.#warn("Other processes are not heard", error);
      return undefined;
    }
  }

  #emit(event: SessionEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#warn("A listener failed", error);
      }
    }
  }

  #warn(what: string, error: unknown): void {
    this.#logger.warn(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
