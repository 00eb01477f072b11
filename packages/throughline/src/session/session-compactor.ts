import type { TailRule } from "../compact/select-messages.ts";
import { type CriticalItem, criticalItems } from "../ledger/critical-items.ts";
import { wordsTokens } from "../ledger/words-tokens.ts";
import type { Message } from "../message/message.ts";
import { omitUndefined } from "../message/read-json.ts";
import { handleOf } from "../prune/mask-output.ts";
import { applyCompaction, type CompactionRequest, type PlannedCompaction, planCompaction } from "./compact-window.ts";
import type { OpenSession } from "./open-session.ts";
import type { SessionContext, Tally } from "./session-context.ts";
import type { SessionEvents, SessionEventType } from "./session-events.ts";
import type { CompactionPreview, CompactOptions } from "./session-options.ts";
import type { CompactionEvent } from "./session-state.ts";
import { type TurnBudget, turnBudget } from "./turn.ts";
import { materialize } from "./window.ts";
import { extractToolNames } from "./working-context.ts";

/** A compaction that wins less than this share is not worth what it loses. */
const LEAST_WIN = 0.1;
/**
 * After a compaction the tail takes this share of what triggers the next one, more in a small window, and the summary
 * that. What is left is room to grow: each compaction breaks the prompt cache, so they should be far apart.
 */
const TAIL = { share: 0.2, least: 4_000, smallShare: 0.4 };
const SUMMARY = { share: 0.35, most: 4_000 };
/** The last turns stay whole where they take no more than this share. */
const TURNS_SHARE = 0.4;
/** What the user asked for and the rules that hold stand word for word where they take no more than this share. */
const WORDS_SHARE = 0.1;

type Tell = <T extends SessionEventType>(type: T, data: SessionEvents[T]) => void;
type Reason = SessionEvents["compaction:start"]["reason"];

/** Compacts a session, by hand or because a turn needs it. */
export class SessionCompactor {
  readonly #open: OpenSession;
  readonly #context: SessionContext;
  readonly #tell: Tell;

  constructor(open: OpenSession, tell: Tell) {
    this.#open = open;
    this.#context = open.context;
    this.#tell = tell;
  }

  async byHand(options: CompactOptions): Promise<CompactionEvent | undefined> {
    const tally = this.#open.tally;
    const request = this.#request(options, turnBudget({}, this.#context, tally).trigger);
    return this.#open.locked(() => this.#run(request, tally, "manual", 0));
  }

  /** Only where there is something new, and where it wins enough; the model is asked only then. */
  async forTurn(budget: TurnBudget, tally: Tally, signal: AbortSignal | undefined): Promise<boolean> {
    const { state } = this.#open;
    if (state.appended === state.appendedAtCompaction) return false;
    const request = this.#request(omitUndefined({ signal }), budget.trigger);
    const sketch = await this.#plan({ ...request, withoutModel: true }, tally);
    if (sketch === undefined || !wins(sketch, LEAST_WIN)) {
      this.#open.hold({ ...state, appendedAtCompaction: state.appended });
      return false;
    }
    return this.#open.locked(async () => {
      // Whoever held the lock before us may have done it.
      if (this.#open.state.rounds !== state.rounds) return true;
      return (await this.#run(request, tally, "overflow", LEAST_WIN)) !== undefined;
    });
  }

  /** What a compaction would remove, keep and cost, without doing it. */
  async preview(options: CompactOptions): Promise<CompactionPreview | undefined> {
    const tally = this.#open.tally;
    const { trigger } = turnBudget({}, this.#context, tally);
    const planned = await this.#plan({ ...this.#request(options, trigger), withoutModel: true }, tally);
    const { messages, events } = this.#open.sources;
    const state = planned && applyCompaction(planned, this.#open.state, messages);
    if (planned === undefined || state === undefined) return undefined;
    const { event } = planned;
    const window = materialize(state, { messages, events: new Map(events).set(event.id, event) });
    const said = saidIn(window);
    return {
      tokensBefore: event.tokensBefore,
      tokensAfter: event.tokensAfter,
      removed: event.compactedMessageIds,
      kept: window.map((message) => message.id),
      summary: event.summary,
      critical: criticalItems(state.ledger).filter((item) => !stands(item, said)),
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
      const planned = this.#context.model === undefined ? sketch : await this.#plan(request, tally);
      if (planned !== undefined && wins(planned, leastWin)) event = await this.#apply(planned);
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
    const { text } = this.#open.tally;
    const most = Math.floor(trigger * WORDS_SHARE);
    const words = targetTokens === undefined ? Math.min(most, wordsTokens(this.#open.state.ledger, text, most)) : 0;
    return omitUndefined({
      targetTokens: targetTokens ?? words + Math.floor(Math.min(SUMMARY.most, trigger * SUMMARY.share)),
      words,
      keep: keepTokens === undefined ? this.#tail(trigger) : { tokens: keepTokens },
      focus,
      signal,
    });
  }

  #tail(trigger: number): TailRule {
    const { recentMessages, config } = this.#context;
    if (recentMessages !== undefined) return { messages: recentMessages };
    return {
      tokens: Math.floor(Math.max(trigger * TAIL.share, Math.min(TAIL.least, trigger * TAIL.smallShare))),
      turns: config.minTurnsToKeep,
      most: Math.floor(trigger * TURNS_SHARE),
    };
  }

  /** @throws the signal's reason, where it was aborted: then nothing is stored. */
  async #plan(request: CompactionRequest, tally: Tally): Promise<PlannedCompaction | undefined> {
    const planned = await planCompaction(this.#open.state, this.#open.sources, request, this.#context, tally);
    if (request.signal?.aborted) throw request.signal.reason;
    return planned;
  }
}

function wins({ event }: PlannedCompaction, least: number): boolean {
  return event.tokensAfter < event.tokensBefore && event.tokensAfter <= event.tokensBefore * (1 - least);
}

/** Word for word in some text of the window, or where it was said, or by its handle. */
function stands({ text, handle }: CriticalItem, said: string): boolean {
  const quoted = JSON.stringify(text).slice(1, -1);
  return said.includes(quoted) || (handle !== undefined && said.includes(JSON.stringify(handle).slice(1, -1)));
}

/** All that a window says, with the handles of the parts that stand in it whole. */
function saidIn(window: readonly Message[]): string {
  const handles = window.flatMap(({ parts }) => parts.map(({ id }) => handleOf(id)));
  return JSON.stringify([window, handles]);
}
