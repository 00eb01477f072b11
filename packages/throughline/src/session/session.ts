import { NotFoundError } from "../errors/not-found-error.ts";
import { criticalItems } from "../ledger/critical-items.ts";
import { reduceLedger } from "../ledger/reduce-ledger.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import type { Store } from "../ports/store.ts";
import { pruneToolOutputs } from "../prune/prune-tool-outputs.ts";
import type { Receipt } from "../receipt/receipt.ts";
import { observeUsage } from "../tokens/calibration.ts";
import { storeTokens } from "../tokens/count-message.ts";
import { counterFor } from "../tokens/count-tokens.ts";
import { adoptMessages } from "./adopt-messages.ts";
import { type CompactionRequest, type PlannedCompaction, planCompaction } from "./compact-window.ts";
import { OpenSession } from "./open-session.ts";
import type { SessionContext, Tally } from "./session-context.ts";
import { SessionEmitter, type SessionEvents, type SessionEventType, type SessionListener } from "./session-events.ts";
import type { CompactionPreview, CompactOptions, Recalled } from "./session-options.ts";
import type { CompactionEvent, SessionState } from "./session-state.ts";
import { type PreparedTurn, type PrepareOptions, prepareTurn, type TurnBudget, turnBudget } from "./turn.ts";
import { materialize, messageIdsOf, reopen } from "./window.ts";
import { extractToolNames } from "./working-context.ts";

/** A compaction that wins less than this share is not worth what it loses. */
const LEAST_WIN = 0.1;
/**
 * After a compaction the tail takes this share of what triggers the next one, more in a small window, and the summary
 * that. What is left is room to grow: each compaction breaks the prompt cache, so they should be far apart.
 */
const TAIL = { share: 0.2, least: 4_000, smallShare: 0.4 };
const SUMMARY = { share: 0.35, most: 4_000 };
/** Below this share of the budget nothing is said about it. */
const NEAR = 0.9;

/** One session: its messages go in, windows that fit come out. */
export class Session {
  readonly id: string;
  readonly #open: OpenSession;
  readonly #context: SessionContext;
  readonly #emitter = new SessionEmitter();
  /** What was counted for the last prepared turn, without margin. */
  #lastCounted = 0;

  constructor(context: SessionContext, store: Store) {
    this.id = context.sessionId;
    this.#context = context;
    this.#open = new OpenSession(context, store);
  }

  /** Adds messages of the AI SDK or of our own. They are counted once, here. */
  append(messages: readonly (Message | ForeignModelMessage)[]): Promise<void> {
    return this.#open.exclusive(async () => {
      const { modelId, clock } = this.#context;
      const rich = adoptMessages(toRichWindow(messages), this.id, this.#open.taken, clock.now());
      const counter = counterFor(modelId, 1);
      const stored = rich.map((message) => storeTokens(message, { modelId, counter }));
      const state: SessionState = {
        ...this.#open.state,
        entries: [...this.#open.state.entries, ...stored.map(({ id }) => ({ message: id }))],
        ledger: stored.reduce(reduceLedger, this.#open.state.ledger),
        appended: this.#open.state.appended + stored.length,
      };
      await this.#open.append(stored, state);
    });
  }

  /** The window for the next call of the model: legal, within the budget, with a receipt. */
  prepare(options: PrepareOptions = {}): Promise<PreparedTurn> {
    return this.#open.exclusive(async () => {
      const tally = this.#open.tally;
      const turn = await prepareTurn(
        {
          window: () => this.#open.window(),
          compacted: () => this.#open.compacted(),
          state: () => this.#open.state,
          prune: (budget) => this.#prune(tally, budget),
          compact: (budget, signal) => this.#compactFor(budget, tally, signal),
        },
        options,
        this.#context,
        tally,
      );
      this.#lastCounted = turn.tokens.final / tally.factor;
      const { budget } = turn.receipt;
      if (turn.tokens.final > budget * NEAR)
        this.#context.logger.info(`${turn.tokens.final} of ${budget} tokens are taken.`);
      await this.#open.save({ ...this.#open.state, receipts: this.#open.state.receipts + 1 });
      await this.#open.store.addRecord(this.id, { kind: "receipt", id: turn.receipt.id, value: turn.receipt });
      return turn;
    });
  }

  /**
   * By hand: `targetTokens` bounds the summary, ledger included, and `keepTokens` the tail (0: none). `undefined` where
   * there is nothing to replace.
   */
  compact(options: CompactOptions = {}): Promise<CompactionEvent | undefined> {
    return this.#open.exclusive(async () => {
      const tally = this.#open.tally;
      const { trigger } = turnBudget({}, this.#context, tally);
      return this.#open.locked(async () => {
        const planned = await this.#plan(this.#request(options, trigger), tally);
        if (planned === undefined || planned.event.tokensAfter >= planned.event.tokensBefore) return undefined;
        await this.#apply(planned, tally, "manual");
        return planned.event;
      });
    });
  }

  /** What a compaction would remove, keep and cost, without doing it. */
  preview(options: CompactOptions = {}): Promise<CompactionPreview | undefined> {
    return this.#open.exclusive(async () => {
      const tally = this.#open.tally;
      const { trigger } = turnBudget({}, this.#context, tally);
      const planned = await this.#plan({ ...this.#request(options, trigger), withoutModel: true }, tally);
      if (planned === undefined) return undefined;
      const { event, state } = planned;
      const events = new Map(this.#open.sources.events).set(event.id, event);
      const window = materialize(state, { messages: this.#open.sources.messages, events });
      const text = JSON.stringify(window);
      return {
        tokensBefore: event.tokensBefore,
        tokensAfter: event.tokensAfter,
        removed: event.compactedMessageIds,
        kept: window.map((message) => message.id),
        summary: event.summary,
        critical: criticalItems(state.ledger).filter((item) => !text.includes(headOf(item.text))),
      };
    });
  }

  /** Undoes a compaction, and those that lie over it; what came since stays. */
  restore(eventId: string): Promise<void> {
    return this.#open.exclusive(async () => {
      const event = this.#open.sources.events.get(eventId);
      const entries = reopen(this.#open.state.entries, eventId, this.#open.sources.events);
      if (event === undefined || entries === undefined) throw new NotFoundError(`Compaction ${eventId}`);
      const { state } = this.#open;
      // What was masked since stays so, and nothing is compacted again before there is something new.
      const masks = { ...event.masksBefore, ...state.masks };
      await this.#open.save({ ...state, entries, masks, appendedAtCompaction: state.appended });
    });
  }

  /** What a handle stands for, as it was said: `part:<id>`, `message:<id>`, or a compaction. */
  recall(handle: string): Promise<Recalled> {
    return this.#open.exclusive(async () => {
      const [kind, ...rest] = handle.split(":");
      const id = rest.join(":");
      const { events } = this.#open.sources;
      const event = events.get(handle) ?? events.get(`${this.id}/${handle}`);
      const ids = new Set(messageIdsOf(event?.replaced ?? [], events));
      const history = await this.#open.store.history(this.id);
      const standIns = [...events.values()].flatMap((one) => one.standIns);
      const messages = [...history, ...standIns].flatMap((message) => {
        if (ids.has(message.id) || (kind === "message" && message.id === id)) return [message];
        const parts = kind === "part" ? message.parts.filter((part) => part.id === id) : [];
        return parts.length === 0 ? [] : [{ ...message, parts }];
      });
      if (messages.length === 0) throw new NotFoundError(`Handle "${handle}"`);
      return { handle, messages };
    });
  }

  /** Everything ever appended. */
  history(): Promise<readonly Message[]> {
    return this.#open.exclusive(() => this.#open.store.history(this.id));
  }

  /** Masks old outputs, worth it or not a limit reached: for the end of a turn's processing, error or not. */
  prune(): Promise<boolean> {
    return this.#open.exclusive(() => this.#prune(this.#open.tally, turnBudget({}, this.#context, this.#open.tally)));
  }

  /** The input tokens that the provider reported for the last prepared turn correct the counts to come. */
  observe(usage: { readonly inputTokens: number }): Promise<void> {
    return this.#open.exclusive(async () => {
      const { modelId } = this.#context;
      const observed = { modelId, counted: this.#lastCounted, reported: usage.inputTokens };
      await this.#open.save({ ...this.#open.state, calibration: observeUsage(this.#open.state.calibration, observed) });
    });
  }

  async compactions(): Promise<readonly CompactionEvent[]> {
    return this.#open.exclusive(async () => [...this.#open.sources.events.values()]);
  }

  async receipts(): Promise<readonly Receipt[]> {
    const records = await this.#open.store.records(this.id, "receipt");
    return records.map((record) => record.value as Receipt);
  }

  on(listener: SessionListener): () => void {
    return this.#emitter.on(listener);
  }

  async #prune(tally: Tally, budget: TurnBudget): Promise<boolean> {
    const window = this.#open.window();
    const { config, modelId, clock } = this.#context;
    const turns = window.filter((message) => message.role === "user").length;
    const pruned = pruneToolOutputs(
      window,
      {
        ...config,
        // A small window cannot afford what a large one protects.
        pruneProtect: Math.min(config.pruneProtect, Math.floor(budget.trigger * 0.4)),
        pruneMinimum: Math.min(config.pruneMinimum, Math.floor(budget.trigger * 0.15)),
        // One long turn of an agent has old outputs too; the newest are protected by their size.
        minTurnsToKeep: turns > config.minTurnsToKeep ? config.minTurnsToKeep : 0,
      },
      { modelId, counter: counterFor(modelId, 1), now: clock.now() },
    );
    if (pruned.outputsPruned === 0) return false;
    await this.#open.save({
      ...this.#open.state,
      masks: { ...this.#open.state.masks, ...Object.fromEntries(pruned.masked) },
    });
    const { outputsPruned, tokensSaved, prunedTools } = pruned;
    this.#context.logger.info(`Pruned ${outputsPruned} outputs, ${tokensSaved} tokens.`);
    this.#tell("prune:complete", { outputsPruned, tokensSaved: Math.round(tokensSaved * tally.factor), prunedTools });
    return true;
  }

  /** Only where there is something new, and where it wins enough; the model is asked only then. */
  async #compactFor(budget: TurnBudget, tally: Tally, signal: AbortSignal | undefined): Promise<boolean> {
    const { state } = this.#open;
    if (state.appended === state.appendedAtCompaction) return false;
    const request = this.#request(signal === undefined ? {} : { signal }, budget.trigger);
    const wins = (one: PlannedCompaction | undefined) =>
      one !== undefined && one.event.tokensAfter <= one.event.tokensBefore * (1 - LEAST_WIN);
    if (!wins(await this.#plan({ ...request, withoutModel: true }, tally))) {
      await this.#open.save({ ...state, appendedAtCompaction: state.appended });
      return false;
    }
    return this.#open.locked(async () => {
      const tokensBefore = Math.ceil(tally.messages(this.#open.window()) * tally.factor);
      this.#tell("compaction:start", { tokensBefore, modelLimit: this.#context.contextLimit, reason: "overflow" });
      const planned = await this.#plan(request, tally);
      if (planned === undefined || !wins(planned)) return false;
      await this.#apply(planned, tally, "overflow");
      return true;
    });
  }

  #request(options: CompactOptions, trigger: number): CompactionRequest {
    const { focus, signal } = options;
    return {
      targetTokens: options.targetTokens ?? Math.floor(Math.min(SUMMARY.most, trigger * SUMMARY.share)),
      keepTokens:
        options.keepTokens ??
        Math.floor(Math.max(trigger * TAIL.share, Math.min(TAIL.least, trigger * TAIL.smallShare))),
      ...(focus === undefined ? {} : { focus }),
      ...(signal === undefined ? {} : { signal }),
    };
  }

  /** @throws the signal's reason, where it was aborted: then nothing is stored. */
  async #plan(request: CompactionRequest, tally: Tally): Promise<PlannedCompaction | undefined> {
    const planned = await planCompaction(this.#open.state, this.#open.sources, request, this.#context, tally);
    if (request.signal?.aborted) throw request.signal.reason;
    return planned;
  }

  async #apply({ event, state }: PlannedCompaction, tally: Tally, reason: "overflow" | "manual"): Promise<void> {
    await this.#open.addEvent(event, state);
    this.#context.workingContext?.syncDiscoveredTools(extractToolNames(this.#open.window()));
    const { round, tokensBefore, tokensAfter, compactedMessageIds } = event;
    this.#context.logger.info(`Compaction round ${round} (${reason}): ${tokensBefore} → ${tokensAfter} tokens.`);
    this.#tell("compaction:complete", {
      tokensBefore: Math.ceil(tokensBefore * tally.factor),
      tokensAfter: Math.ceil(tokensAfter * tally.factor),
      messagesCompacted: compactedMessageIds.length,
      wasPruned: Object.keys(state.masks).length > 0,
      wasSummarized: event.withoutProse === undefined,
    });
  }

  #tell<T extends SessionEventType>(type: T, data: SessionEvents[T]): void {
    const event = { type, sessionId: this.id, data } as Parameters<SessionListener>[0];
    this.#emitter.emit(event, (error) => this.#context.logger.warn(`A listener failed: ${String(error)}`));
  }
}

/** How an item begins: a long one is cut to head and tail where it stands, and can be recalled from there. */
function headOf(text: string): string {
  return JSON.stringify(text.slice(0, 60)).slice(1, -1);
}
