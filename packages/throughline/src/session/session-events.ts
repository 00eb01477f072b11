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

/** Tells listeners; one that throws does not keep the others from hearing. */
export class SessionEmitter {
  readonly #listeners = new Set<SessionListener>();

  on(listener: SessionListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(event: SessionEvent, onError: (error: unknown) => void): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        onError(error);
      }
    }
  }
}
