import type { Session } from "../../session/session.ts";
import type { SessionEvent } from "../../session/session-events.ts";
import type { ChatTurn } from "../turn/prepare-chat-turn.ts";
import type { CompactionStage } from "./compact-context.ts";

/** State of a `CompactionTracker`, and result of `useCompactionStatus`. */
export interface CompactionStatus {
  /** True if a compaction is running. */
  readonly isCompacting: boolean;
  /** The last compaction, pruning or reduction of memories since the tracker was created; `null` if there was none. */
  readonly lastCompaction: {
    /** `stage1`: messages were summarized or left out. `stage2`: memories were left out too. */
    readonly stage: Exclude<CompactionStage, "none">;
    /** Tokens that it saved. */
    readonly savedTokens: number;
    /** `prune`: tool outputs were masked. `compact`: messages were replaced by a summary. `turn`: by a chat turn. */
    readonly by: "prune" | "compact" | "turn";
  } | null;
}

const QUIET: CompactionStatus = { isCompacting: false, lastCompaction: null };

/**
 * Follows the compactions of a session, for any framework: subscribe, read the snapshot. Pass chat turns to `note`, so
 * that memories which a full window left out are known too.
 *
 * @example
 * const tracker = new CompactionTracker(session);
 * tracker.note(await prepareChatTurn(session, { facts }));
 * tracker.getSnapshot().lastCompaction?.stage;
 */
export class CompactionTracker {
  readonly #session: Pick<Session, "on">;
  readonly #listeners = new Set<() => void>();
  #stop: () => void = () => undefined;
  #status = QUIET;

  /**
   * @param session Session to follow while there are listeners.
   *
   * @example
   * const tracker = new CompactionTracker(tl.session("chat-1"));
   */
  constructor(session: Pick<Session, "on">) {
    this.#session = session;
  }

  /**
   * Calls a listener after each change.
   *
   * @param listener Called without arguments.
   * @returns a function that removes the listener.
   *
   * @example
   * const stop = tracker.subscribe(() => console.log(tracker.getSnapshot()));
   */
  readonly subscribe = (listener: () => void): (() => void) => {
    if (this.#listeners.size === 0) {
      this.#stop = this.#session.on((event) => this.#set(nextStatus(this.#status, event)));
    }
    this.#listeners.add(listener);
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#stop();
    };
  };

  /**
   * Returns the current status; the same object until something changes.
   *
   * @example
   * const { isCompacting } = tracker.getSnapshot();
   */
  readonly getSnapshot = (): CompactionStatus => this.#status;

  /**
   * Notes the stage of a chat turn.
   *
   * @param turn Prepared turn.
   *
   * @example
   * const tracker = new CompactionTracker(session);
   * tracker.note(await prepareChatTurn(session, { facts }));
   */
  note({ stage, tokens }: Pick<ChatTurn, "stage" | "tokens">): void {
    if (stage === "none") return;
    const savedTokens = Math.max(0, tokens.before - tokens.final);
    this.#set({ ...this.#status, lastCompaction: { stage, savedTokens, by: "turn" } });
  }

  #set(status: CompactionStatus): void {
    this.#status = status;
    for (const listener of [...this.#listeners]) listener();
  }
}

function nextStatus(before: CompactionStatus, { type, data }: SessionEvent): CompactionStatus {
  switch (type) {
    case "compaction:start":
      return { ...before, isCompacting: true };
    case "compaction:complete": {
      const savedTokens = data.tokensBefore - data.tokensAfter;
      // Compactions that saved no tokens do not count.
      const lastCompaction = savedTokens > 0 ? ({ stage: "stage1", savedTokens, by: "compact" } as const) : null;
      return { isCompacting: false, lastCompaction: lastCompaction ?? before.lastCompaction };
    }
    case "prune:complete":
      return { ...before, lastCompaction: { stage: "stage1", savedTokens: data.tokensSaved, by: "prune" } };
  }
}
