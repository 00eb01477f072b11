import type { TailRule } from "../compact/select-messages.ts";
import { InvalidOptionError } from "../errors/invalid-option-error.ts";
import { omitUndefined } from "../internal/json.ts";
import { criticalItems } from "../ledger/critical-items.ts";
import { wordsTokens } from "../ledger/words-tokens.ts";
import { withSpan } from "../telemetry/with-span.ts";
import {
  applyCompaction,
  type CompactionRequest,
  earlierProse,
  type PlannedCompaction,
  planCompaction,
  TITLE_TOKENS,
} from "./compact-window.ts";
import { type OpenSession, throwIfAborted } from "./open-session.ts";
import type { SessionContext, Tally } from "./session-context.ts";
import type { SessionEvents, SessionEventType } from "./session-events.ts";
import type { CompactionPreview, CompactOptions } from "./session-options.ts";
import { type Compacted, compactSpan } from "./session-spans.ts";
import type { CompactionEvent } from "./session-state.ts";
import { type TurnBudget, turnBudget } from "./turn.ts";
import { whatStands } from "./what-stands.ts";
import { materialize } from "./window.ts";
import { extractToolNames } from "./working-context.ts";

/** A compaction that wins less than this share is not worth what it loses. */
const MIN_WIN = 0.1;
/**
 * After a compaction the tail and the summary take these shares of what triggers the next one, and no more in a large
 * window: what the agent is at does not grow with it. What is left is room to grow: each compaction breaks the prompt
 * cache, so they should be far apart, and what stays is paid for with every request until the next one.
 */
const TAIL = { share: 0.3, most: 4_000 };
const SUMMARY = { share: 0.35, most: 4_000 };
/** The last turns stay whole where they take no more than this share. */
const TURNS_SHARE = 0.2;
/** What the user asked for and the rules that hold stand word for word where they take no more than this share. */
const WORDS_SHARE = 0.1;
/** And so does the prose of an earlier summary, where no model integrates it. */
const EARLIER_SHARE = 0.05;

type Tell = <T extends SessionEventType>(type: T, data: SessionEvents[T]) => void;
type Reason = SessionEvents["compaction:start"]["reason"];

/** Compacts a session, by hand or because a turn needs it. */
export class SessionCompactor {
  readonly #open: OpenSession;
  readonly #tell: Tell;
  /** Where a compaction would have won too little: it is tried again for something new, or for a smaller window. */
  #vain: { readonly appended: number; readonly rounds: number; readonly trigger: number } | undefined;

  constructor(open: OpenSession, tell: Tell) {
    this.#open = open;
    this.#tell = tell;
  }

  get #context(): SessionContext {
    return this.#open.context;
  }

  async byHand(options: CompactOptions): Promise<CompactionEvent | undefined> {
    const tally = this.#open.tally;
    const request = this.#request(options, turnBudget({}, this.#context, tally).trigger);
    return this.#traced("manual", () =>
      this.#open.locked(() => this.#run(request, tally, "manual", 0), options.signal),
    );
  }

  /** Only where there is something new, and where it wins enough; the model is asked only then. */
  async forTurn(budget: TurnBudget, tally: Tally, signal: AbortSignal | undefined): Promise<boolean> {
    const { state } = this.#open;
    const { appended, rounds } = state;
    if (appended === state.appendedAtCompaction) return false;
    const wasTried = this.#vain?.appended === appended && this.#vain.rounds === rounds;
    if (wasTried && budget.trigger >= (this.#vain?.trigger ?? 0)) return false;
    const { request, sketch } = await this.#sketch(omitUndefined({ signal }), budget, tally);
    if (sketch === undefined || !wins(sketch, MIN_WIN)) {
      this.#vain = { appended, rounds, trigger: budget.trigger };
      return false;
    }
    const compact = async () => {
      // Whoever held the lock before us may have done it.
      if (this.#open.state.rounds !== rounds) return true;
      return this.#run(request, tally, "overflow", MIN_WIN);
    };
    return (await this.#traced("overflow", () => this.#open.locked(compact, signal))) !== undefined;
  }

  #traced<T extends Compacted>(reason: Reason, work: () => Promise<T>): Promise<T> {
    return withSpan(this.#context.telemetry, compactSpan<T>(this.#context, reason), work);
  }

  /** What a turn asks for, and what would come of it without a model. Where it is too much, prose of others goes first. */
  async #sketch(
    options: CompactOptions,
    { trigger }: TurnBudget,
    tally: Tally,
  ): Promise<{ request: CompactionRequest; sketch: PlannedCompaction | undefined }> {
    const request = this.#request(options, trigger);
    const sketch = await this.#plan({ ...request, withoutModel: true }, tally);
    const { earlier = 0, targetTokens } = request;
    if (earlier === 0 || sketch === undefined || sketch.event.tokensAfter <= trigger * tally.factor) {
      return { request, sketch };
    }
    const smaller = { ...request, targetTokens: targetTokens - earlier, earlier: 0 };
    return { request: smaller, sketch: await this.#plan({ ...smaller, withoutModel: true }, tally) };
  }

  /** What a compaction would remove, keep and cost, without doing it. */
  async preview(options: CompactOptions): Promise<CompactionPreview | undefined> {
    const tally = this.#open.tally;
    const { trigger } = turnBudget({}, this.#context, tally);
    const planned = await this.#plan({ ...this.#request(options, trigger), withoutModel: true }, tally);
    const { messages, events } = this.#open.sources;
    const state = planned && applyCompaction(planned, this.#open.state, messages);
    if (planned === undefined || state === undefined || !wins(planned, 0)) return undefined;
    const { event } = planned;
    const window = materialize(state, { messages, events: new Map(events).set(event.id, event) });
    const stands = whatStands(window);
    return {
      tokensBefore: event.tokensBefore,
      tokensAfter: event.tokensAfter,
      removed: event.compactedMessageIds,
      kept: window.map((message) => message.id),
      summary: event.summary,
      critical: criticalItems(state.ledger).filter((item) => !stands(item)),
    };
  }

  /** Each start that is told of is followed by its end. */
  async #run(
    request: CompactionRequest,
    tally: Tally,
    reason: Reason,
    leastWin: number,
  ): Promise<CompactionEvent | undefined> {
    const sketch = await this.#plan({ ...request, withoutModel: true }, tally);
    if (sketch === undefined || !wins(sketch, leastWin)) return undefined;
    const { tokensBefore } = sketch.event;
    this.#tell("compaction:start", { tokensBefore, modelLimit: this.#context.contextLimit, reason });
    let event: CompactionEvent | undefined;
    try {
      event = await this.#apply(await this.#withProse(sketch, request, tally, leastWin));
    } finally {
      this.#tell("compaction:complete", {
        tokensBefore,
        tokensAfter: event?.tokensAfter ?? tokensBefore,
        messagesCompacted: event?.compactedMessageIds.length ?? 0,
        wasPruned: Object.keys(sketch.event.masksBefore).length > 0,
        wasSummarized: event !== undefined && event.withoutProse === undefined,
      });
    }
    return event;
  }

  /** The same compaction with the model's prose; without it, where the prose would take what is won. */
  async #withProse(
    sketch: PlannedCompaction,
    request: CompactionRequest,
    tally: Tally,
    leastWin: number,
  ): Promise<PlannedCompaction> {
    if (this.#context.model === undefined) return sketch;
    const planned = await this.#plan(request, tally);
    if (planned !== undefined && wins(planned, leastWin)) return planned;
    return { ...sketch, event: { ...sketch.event, withoutProse: "with it too little would be won" } };
  }

  /** `undefined` where the window is no longer what it was planned for. */
  async #apply(planned: PlannedCompaction): Promise<CompactionEvent | undefined> {
    const { event } = planned;
    const isDone = await this.#open.commit((state) => {
      const next = applyCompaction(planned, state, this.#open.sources.messages);
      return next && { state: next, event };
    });
    if (!isDone) return undefined;
    const { round, tokensBefore, tokensAfter } = event;
    this.#context.workingContext?.syncDiscoveredTools(extractToolNames(this.#open.window()));
    this.#context.logger.info(`Compaction round ${round}: ${tokensBefore} → ${tokensAfter} tokens.`);
    return event;
  }

  #request({ focus, signal, targetTokens, keepTokens }: CompactOptions, trigger: number): CompactionRequest {
    if (!((targetTokens ?? 1) > 0)) {
      throw new InvalidOptionError("targetTokens", targetTokens, "a number of tokens above 0");
    }
    if (!((keepTokens ?? 0) >= 0)) throw new InvalidOptionError("keepTokens", keepTokens, "a number of tokens, or 0");
    const isOurs = targetTokens === undefined;
    const words = isOurs ? this.#wordsRoom(Math.floor(trigger * WORDS_SHARE)) : 0;
    const earlier = isOurs ? this.#earlierRoom(Math.floor(trigger * EARLIER_SHARE)) : 0;
    const summary = Math.floor(Math.min(SUMMARY.most, trigger * SUMMARY.share));
    return omitUndefined({
      targetTokens: targetTokens ?? summary + words + earlier,
      words,
      earlier,
      isRecallable: true,
      keep: keepTokens === undefined ? this.#tail(trigger) : { tokens: keepTokens },
      focus,
      signal,
    });
  }

  #wordsRoom(most: number): number {
    return Math.min(most, wordsTokens(this.#open.state.ledger, this.#open.tally.text, most));
  }

  #earlierRoom(most: number): number {
    const prose = earlierProse(this.#open.window());
    return prose === "" ? 0 : Math.min(most, this.#open.tally.text(prose) + TITLE_TOKENS);
  }

  #tail(trigger: number): TailRule {
    const { recentMessages, config } = this.#context;
    if (recentMessages !== undefined) return { messages: recentMessages };
    return {
      tokens: Math.floor(Math.min(TAIL.most, trigger * TAIL.share)),
      turns: config.minTurnsToKeep,
      most: Math.floor(trigger * TURNS_SHARE),
    };
  }

  /** @throws the signal's reason, where it was aborted: then nothing is stored. */
  async #plan(request: CompactionRequest, tally: Tally): Promise<PlannedCompaction | undefined> {
    const planned = await planCompaction(this.#open.state, this.#open.sources, request, this.#context, tally);
    throwIfAborted(request.signal);
    return planned;
  }
}

function wins({ event }: PlannedCompaction, least: number): boolean {
  return event.tokensAfter < event.tokensBefore && event.tokensAfter <= event.tokensBefore * (1 - least);
}
