import { IrreducibleContextError } from "../errors/irreducible-context-error.ts";
import { NotFoundError } from "../errors/not-found-error.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import type { SessionHead, Store } from "../ports/store.ts";
import { pruneToolOutputs } from "../prune/prune-tool-outputs.ts";
import type { Receipt } from "../receipt/receipt.ts";
import { withSpan } from "../telemetry/with-span.ts";
import { storeTokensYielding } from "../tokens/count-message.ts";
import { counterFor } from "../tokens/count-tokens.ts";
import { learnFromReport, type TurnReport, withUsage } from "./learn-from-report.ts";
import { OpenSession, throwIfAborted } from "./open-session.ts";
import { recallHandle } from "./recall-handle.ts";
import { SessionCompactor } from "./session-compactor.ts";
import { NEAR, type SessionContext, type Tally } from "./session-context.ts";
import { SessionEmitter, type SessionEvents, type SessionListener } from "./session-events.ts";
import type { CompactionPreview, CompactOptions, Recalled } from "./session-options.ts";
import { prepareSpan, pruneSpan } from "./session-spans.ts";
import type { CompactionEvent, ListedCompaction } from "./session-state.ts";
import { type PreparedTurn, type PrepareOptions, prepareTurn, type TurnBudget, turnBudget } from "./turn.ts";
import { eventIdsOf, reopen } from "./window.ts";
import { failedReceipt } from "./write-receipt.ts";

/** A window that was prepared for the model. */
export interface PreparedWindow {
  readonly messages: readonly ModelMessage[];
  /** The same messages in Throughline's own form: their parts have the ids of the history. */
  readonly window: readonly Message[];
  /** How many messages the session had then. */
  readonly appended: number;
}

/** One session: its messages go in, windows that fit come out. */
export class Session {
  readonly id: string;
  readonly #open: OpenSession;
  readonly #emitter: SessionEmitter;
  readonly #compactor: SessionCompactor;
  #prepared: PreparedWindow | undefined;

  constructor(context: SessionContext, store: Store) {
    this.id = context.sessionId;
    this.#open = new OpenSession(context, store);
    this.#emitter = new SessionEmitter(this.#open, context.logger);
    this.#compactor = new SessionCompactor(this.#open, (type, data) => this.#emitter.tell(type, data));
  }

  get #context(): SessionContext {
    return this.#open.context;
  }

  /** The window that was last prepared here. */
  get prepared(): PreparedWindow | undefined {
    return this.#prepared;
  }

  /** Adds messages of the AI SDK or of our own. They are counted once, here. */
  async append(messages: readonly (Message | ForeignModelMessage)[]): Promise<void> {
    const { modelId } = this.#context;
    const counter = counterFor(modelId, 1);
    // Read before anything is waited for: the list is the caller's, who may go on with it.
    const read = toRichWindow(messages).map(withoutCounts);
    if (read.length === 0) return;
    await this.#open.inTurn(async () => {
      const counted: Message[] = [];
      for (const message of read) counted.push(await storeTokensYielding(message, { modelId, counter }));
      await this.#open.append(counted);
    });
    this.#context.appended?.(read.length);
  }

  /** The window for the next call of the model: legal, within the budget, with a receipt. */
  prepare(options: PrepareOptions = {}): Promise<PreparedTurn> {
    const context = this.#context;
    return withSpan(context.telemetry, prepareSpan(context), () => this.#prepare(options));
  }

  #prepare(options: PrepareOptions): Promise<PreparedTurn> {
    return this.#open.exclusive(async () => {
      throwIfAborted(options.signal);
      const tally = this.#open.tally;
      try {
        const { window, ...turn } = await prepareTurn(
          {
            window: () => this.#open.window(),
            latest: () => this.#open.latest(),
            prune: (budget) => this.#prune(tally, budget),
            compact: (budget, signal) => this.#compactor.forTurn(budget, tally, signal),
          },
          options,
          this.#context,
          tally,
        );
        this.#prepared = { messages: turn.messages, window, appended: this.#open.state.appended };
        const { tokens, budget } = turn.receipt;
        if (tokens > budget * NEAR) this.#context.logger.info(`${tokens} of ${budget} tokens are taken.`);
        return { ...turn, receipt: await this.#keep(turn.receipt) };
      } catch (error) {
        if (error instanceof IrreducibleContextError) await this.#keep(failedReceipt(error, this.#context));
        throw error;
      }
    });
  }

  /**
   * By hand: `targetTokens` bounds the summary, ledger included, and `keepTokens` the tail (0: none). `undefined` where
   * there is nothing to win.
   */
  compact(options: CompactOptions = {}): Promise<CompactionEvent | undefined> {
    return this.#open.exclusive(() => this.#compactor.byHand(options));
  }

  /** What a compaction would remove, keep and cost, without doing it. */
  preview(options: CompactOptions = {}): Promise<CompactionPreview | undefined> {
    return this.#open.exclusive(() => this.#compactor.preview(options));
  }

  /** Undoes a compaction, and those that lie over it; what came since stays. */
  restore(eventId: string): Promise<void> {
    return this.#open.exclusive(async () => {
      const events = await this.#open.allEvents();
      await this.#open.commit((state) => {
        const reopened = reopen(state, eventId, events);
        if (reopened === undefined) throw new NotFoundError(`Compaction ${eventId}`);
        // Nothing is compacted again before there is something new.
        return { state: { ...state, ...reopened, appendedAtCompaction: state.appended } };
      });
    });
  }

  /** What a handle stands for, as it was said: `part:<id>`, `message:<id>`, `messages:<id>..<id>`, or a compaction. */
  recall(handle: string): Promise<Recalled> {
    return this.#open.inTurn(async () => {
      const { key, store } = this.#open;
      const events = await this.#open.allEvents();
      return { handle, messages: await recallHandle(handle, { key, messages: store.messages, events }) };
    });
  }

  /** Everything ever appended, or what was appended from a position on. */
  history(from = 0): Promise<readonly Message[]> {
    return this.#open.inTurn(() => this.#open.store.messages.list(this.#open.key, { from }));
  }

  /** How many messages and compactions there are, and whether somebody compacts right now. */
  status(): Promise<SessionHead> {
    return this.#open.store.sessions.head(this.#open.key);
  }

  /**
   * Masks old outputs where that wins enough to be worth a break of the prompt cache, however full the window is: for
   * the end of a turn's processing, error or not.
   */
  prune(): Promise<boolean> {
    return this.#open.exclusive(() => this.#prune(this.#open.tally, turnBudget({}, this.#context, this.#open.tally)));
  }

  /**
   * What the provider said of the last prepared turn. Its input tokens correct the counts to come; a limit below the
   * known one holds from then on for this model; after a refusal the next window is smaller.
   */
  observe(report: TurnReport): Promise<void> {
    return this.#open.exclusive(async () => {
      const [last] = await this.#open.store.sessions.receipts(this.#open.key, 1);
      const receipt = last?.value as Receipt | undefined;
      if (receipt?.modelId !== this.#context.modelId) return;
      await this.#open.commit((state) => ({
        state: withUsage(learnFromReport(state, receipt, report, this.#context), receipt.id, report),
      }));
    });
  }

  /** Every compaction that ever was, in order, and whether it was undone. */
  compactions(): Promise<readonly ListedCompaction[]> {
    return this.#open.exclusive(async () => {
      const events = await this.#open.allEvents();
      const standing = eventIdsOf(this.#open.state.entries, events);
      return [...events.values()].map((event) => ({ ...event, isUndone: !standing.has(event.id) }));
    });
  }

  /** The newest receipts, oldest first, with what the provider reported for them since. */
  receipts(limit?: number): Promise<readonly Receipt[]> {
    return this.#open.exclusive(async () => {
      const stored = await this.#open.store.sessions.receipts(this.#open.key, limit);
      const { usages = {} } = this.#open.state;
      return stored.map(({ id, value }) => ({ ...(value as Receipt), ...(usages[id] && { usage: usages[id] }) }));
    });
  }

  /** Tells what is done to the session, by whichever process where the store can say so, until the result is called. */
  on(listener: SessionListener): () => void {
    return this.#emitter.on(listener);
  }

  /** Numbers a receipt and stores it. */
  async #keep(unnumbered: Omit<Receipt, "id">): Promise<Receipt> {
    let receipt: Receipt = { id: "", ...unnumbered };
    await this.#open.commit(() => {
      receipt = { ...receipt, id: `${this.id}/receipt-${this.#open.receipts + 1}` };
      return { receipts: [{ id: receipt.id, createdAt: receipt.createdAt, value: receipt }] };
    });
    return receipt;
  }

  async #prune(tally: Tally, budget: TurnBudget): Promise<boolean> {
    const context = this.#context;
    const pruned = await withSpan(context.telemetry, pruneSpan(context), () => this.#mask(tally, budget));
    return pruned.outputsPruned > 0;
  }

  async #mask(tally: Tally, budget: TurnBudget): Promise<SessionEvents["prune:complete"]> {
    const { modelId, clock } = this.#context;
    const counter = { modelId, counter: counterFor(modelId, 1), now: clock.now() };
    const pruned = pruneToolOutputs(this.#open.window(), this.#pruneRules(budget), counter);
    const { outputsPruned, tokensSaved, prunedTools, masked } = pruned;
    const done = { outputsPruned, tokensSaved: Math.round(tokensSaved * tally.factor), prunedTools };
    if (outputsPruned === 0) return done;
    await this.#open.commit((state) => ({
      state: { ...state, masks: { ...state.masks, ...Object.fromEntries(masked) } },
      marks: new Map([...masked.keys()].map((id) => [id, counter.now])),
    }));
    this.#context.logger.info(`Pruned ${outputsPruned} outputs, ${tokensSaved} tokens.`);
    this.#emitter.tell("prune:complete", done);
    return done;
  }

  #pruneRules({ trigger }: TurnBudget): SessionContext["config"] {
    const { config } = this.#context;
    const turns = this.#open.window().filter((message) => message.role === "user").length;
    return {
      ...config,
      // A small window cannot afford what a large one protects.
      pruneProtect: Math.min(config.pruneProtect, Math.floor(trigger * 0.4)),
      pruneMinimum: Math.min(config.pruneMinimum, Math.floor(trigger * 0.15)),
      // One long turn of an agent has old outputs too; the newest are protected by their size.
      minTurnsToKeep: turns > config.minTurnsToKeep ? config.minTurnsToKeep : 0,
    };
  }
}

/** A count that a message came with may be of what it said before somebody changed it. */
function withoutCounts(message: Message): Message {
  return { ...message, parts: message.parts.map(({ tokens: _, countedBy: __, ...part }) => part as Part) };
}
