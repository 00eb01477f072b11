import type { CompactionEvent } from "../compact/window.ts";
import { extractToolNames } from "../compact/working-context.ts";
import { messageOf } from "../internal/text.ts";
import { NEAR_LIMIT } from "../overflow/compaction-config.ts";
import type { Logger } from "../ports/logger.ts";
import type { Receipt } from "../receipt/receipt.ts";
import { type Attributes, withSpan } from "../telemetry/with-span.ts";
import { NOT_READY } from "./background-summary.ts";
import type { PreparedTurn } from "./session-options.ts";
import type { SessionDeps } from "./session-settings.ts";
import type { SessionRepository } from "./state/session-repository.ts";
import type { SessionChanges } from "./state/session-state.ts";

/**
 * Events of a session, by type. `compaction:start` is sent before a compaction is stored, the other two after their
 * change was stored.
 */
export interface SessionEvents {
  /** A compaction begins. `reason`: `overflow` in `prepare`, `manual` in `compact`. Sizes are in tokens. */
  "compaction:start": {
    readonly tokensBefore: number;
    readonly modelLimit: number;
    readonly reason: "overflow" | "manual";
  };
  /**
   * The compaction that began is over. If `tokensAfter` equals `tokensBefore`, nothing was stored. `wasSummarized` is
   * true if a model wrote the summary.
   */
  "compaction:complete": {
    readonly tokensBefore: number;
    readonly tokensAfter: number;
    readonly messagesCompacted: number;
    readonly wasPruned: boolean;
    readonly wasSummarized: boolean;
  };
  /** Old tool outputs were masked. */
  "prune:complete": {
    readonly outputsPruned: number;
    readonly tokensSaved: number;
    readonly prunedTools: readonly string[];
  };
}

/** Name of an event. */
export type SessionEventType = keyof SessionEvents;

/** An event with its session and its data. */
export type SessionEvent = {
  [T in SessionEventType]: { readonly type: T; readonly sessionId: string; readonly data: SessionEvents[T] };
}[SessionEventType];

/** Kinds of events about compaction and pruning. */
export type CompactionEventType = SessionEventType;

/** Sent when a compaction begins. */
export type CompactionStartEvent = Extract<SessionEvent, { readonly type: "compaction:start" }>;

/** Sent when a compaction was stored, or given up. */
export type CompactionCompleteEvent = Extract<SessionEvent, { readonly type: "compaction:complete" }>;

/** Receives the events of a session. See `session.on`. */
export type SessionListener = (event: SessionEvent) => void;

/** An event as it is sent to other processes through the store. */
interface SharedEvent {
  readonly from: string;
  readonly event: SessionEvent;
}

/** Sends events to listeners in this process and, through the store, in others. A listener that throws is logged. */
export class SessionEmitter {
  readonly #repository: SessionRepository;
  readonly #logger: Logger;
  readonly #listeners = new Set<SessionListener>();
  #unsubscribe: Promise<(() => Promise<void>) | undefined> | undefined;

  constructor(repository: SessionRepository, logger: Logger) {
    this.#repository = repository;
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
      unsubscribe
        ?.then((stop) => stop?.())
        .catch((error) => this.#warn("Could not unsubscribe from session events", error));
    };
  }

  send<T extends SessionEventType>(type: T, data: SessionEvents[T]): void {
    const event = { type, sessionId: this.#repository.key.sessionId, data } as SessionEvent;
    this.#emit(event);
    const shared: SharedEvent = { from: this.#repository.holder, event };
    this.#repository.store.notifications
      ?.publish(this.#repository.key, shared)
      .catch((error) => this.#warn("Could not publish a session event", error));
  }

  /** Logs stored changes, and notifies listeners of a pruning. The lease of a compaction notifies them of its end. */
  async report({ pruned, compaction }: SessionChanges, receipt?: Receipt): Promise<void> {
    const { workingContext, model } = this.#repository.deps;
    if (pruned !== undefined) {
      const { outputsPruned, tokensSaved } = pruned.report;
      this.#logger.info(`Pruned ${outputsPruned} tool outputs, ${tokensSaved} tokens.`);
      this.send("prune:complete", pruned.report);
    }
    if (compaction !== undefined) {
      const { round, tokensBefore, tokensAfter, withoutProse } = compaction.event;
      workingContext?.syncDiscoveredTools(extractToolNames((await this.#repository.snapshot()).window));
      this.#logger.info(`Compaction round ${round}: ${tokensBefore} → ${tokensAfter} tokens.`);
      if (model !== undefined && withoutProse !== undefined) {
        const level = withoutProse === NOT_READY ? "info" : "warn";
        this.#logger[level](
          `Compaction round ${round}: no summary by the model (${withoutProse}), using the deterministic one.`,
        );
      }
    }
    if (receipt !== undefined && receipt.tokens > receipt.budget * NEAR_LIMIT) {
      this.#logger.info(`${receipt.tokens} of ${receipt.budget} tokens are in use.`);
    }
  }

  async #subscribe(): Promise<(() => Promise<void>) | undefined> {
    try {
      return await this.#repository.store.notifications?.subscribe(this.#repository.key, (notification) => {
        const { from, event } = notification as SharedEvent;
        if (from !== this.#repository.holder) this.#emit(event);
      });
    } catch (error) {
      this.#warn("Could not subscribe to session events of other processes", error);
      return undefined;
    }
  }

  #emit(event: SessionEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#warn("A session listener failed", error);
      }
    }
  }

  #warn(what: string, error: unknown): void {
    this.#logger.warn(`${what}: ${messageOf(error)}`);
  }
}

/** Operations with a span, and the attributes that they set at the end. */
interface SpanResults {
  readonly prepare: PreparedTurn;
  readonly prune: SessionEvents["prune:complete"];
  /** `undefined` if nothing was compacted. */
  readonly compact: { readonly event: CompactionEvent } | undefined;
}

/** Attributes of each result; texts only if `recordContent` is set. */
const RESULT_ATTRIBUTES: {
  readonly [N in keyof SpanResults]: (result: SpanResults[N], recordContent: boolean | undefined) => Attributes;
} = {
  prepare: ({ messages, tokens, wasPruned, wasCompacted, receipt, system }, recordContent) => ({
    "throughline.budget": receipt.budget,
    "throughline.tokens.before": tokens.before,
    "throughline.tokens.after_prune": tokens.afterPrune,
    "throughline.tokens.after_compact": tokens.afterCompact,
    "throughline.tokens.final": tokens.final,
    "throughline.was_pruned": wasPruned,
    "throughline.was_compacted": wasCompacted,
    "throughline.messages.count": messages.length,
    "throughline.receipt.id": receipt.id,
    ...(recordContent &&
      system !== "" && { "gen_ai.system_instructions": JSON.stringify([{ type: "text", content: system }]) }),
  }),
  prune: ({ outputsPruned, tokensSaved }) => ({
    "throughline.prune.outputs": outputsPruned,
    "throughline.prune.tokens_saved": tokensSaved,
  }),
  compact: (compaction, recordContent) => {
    if (compaction === undefined) return { "throughline.compact.outcome": "nothing" };
    const { event: done } = compaction;
    return {
      "throughline.compact.outcome": "compacted",
      "throughline.compact.id": done.id,
      "throughline.compact.round": done.round,
      "throughline.compact.messages": done.compactedMessageIds.length,
      "throughline.compact.has_prose": done.withoutProse === undefined,
      "throughline.tokens.before": done.tokensBefore,
      "throughline.tokens.after_compact": done.tokensAfter,
      ...(recordContent && { "throughline.compact.summary": done.summary }),
    };
  },
};

/** Runs an operation of a session inside its span, if there is a tracer. `attributes` are known before it starts. */
export function withSessionSpan<N extends keyof SpanResults, T extends SpanResults[N]>(
  { sessionId, modelId, contextLimit, telemetry }: SessionDeps,
  name: N,
  work: () => Promise<T>,
  attributes: Attributes = {},
): Promise<T> {
  const before = () => ({
    "gen_ai.conversation.id": sessionId,
    "gen_ai.request.model": modelId,
    "throughline.context_limit": contextLimit,
    ...attributes,
  });
  const after = (result: T) => RESULT_ATTRIBUTES[name](result, telemetry?.recordContent);
  return withSpan(telemetry, { name: `throughline.${name}`, before, after }, work);
}
