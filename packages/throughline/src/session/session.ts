import type { CompactionPreview } from "../compact/preview-compaction.ts";
import { type CompactionEvent, eventIdsOf, reopen } from "../compact/window.ts";
import { NotFoundError } from "../errors/not-found-error.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import type { SessionHead, Store } from "../ports/store.ts";
import type { Receipt } from "../receipt/receipt.ts";
import { withSpan } from "../telemetry/with-span.ts";
import { storeTokensYielding } from "../tokens/count-message.ts";
import { counterFor } from "../tokens/count-tokens.ts";
import { type CompactOptions, compactSession, previewSession } from "./compact-session.ts";
import { learnFromReport, type TurnReport, withUsage } from "./learn-from-report.ts";
import { pruneSession } from "./prune-turn.ts";
import { type Recalled, recallHandle } from "./recall-handle.ts";
import type { SessionDeps } from "./session-deps.ts";
import { SessionEmitter, type SessionListener } from "./session-events.ts";
import { SessionRepository } from "./session-repository.ts";
import { prepareSpan } from "./session-spans.ts";
import type { ListedCompaction } from "./session-state.ts";
import { type PreparedTurn, type PrepareOptions, prepareTurn } from "./turn.ts";

/** A window that was prepared for the model. */
export interface PreparedWindow {
  readonly messages: readonly ModelMessage[];
  /** The same messages in Throughline's own form: their parts have the ids of the history. */
  readonly window: readonly Message[];
  /** Number of messages in the session at that time. */
  readonly appended: number;
}

/** One session. Append its messages, and prepare a window that fits for each call of the model. */
export class Session {
  readonly id: string;
  readonly #repository: SessionRepository;
  readonly #emitter: SessionEmitter;
  #prepared: PreparedWindow | undefined;

  constructor(deps: SessionDeps, store: Store) {
    this.id = deps.sessionId;
    this.#repository = new SessionRepository(deps, store);
    this.#emitter = new SessionEmitter(this.#repository, deps.logger);
  }

  /** The window that was last prepared by this object. */
  get prepared(): PreparedWindow | undefined {
    return this.#prepared;
  }

  /** Appends messages of the AI SDK or of Throughline. Their tokens are counted once, here. */
  async append(messages: readonly (Message | ForeignModelMessage)[]): Promise<void> {
    const { modelId, appended } = this.#repository.deps;
    const counter = counterFor(modelId, 1);
    // Converted before the first await: the caller may change the list afterwards.
    const read = toRichWindow(messages).map(withoutCounts);
    if (read.length === 0) return;
    await this.#repository.exclusive(
      async () => {
        const counted: Message[] = [];
        for (const message of read) counted.push(await storeTokensYielding(message, { modelId, counter }));
        await this.#repository.append(counted);
      },
      { load: false },
    );
    appended?.(read.length);
  }

  /** Prepares the window for the next call of the model: legal, within the budget, with a receipt. */
  prepare(options: PrepareOptions = {}): Promise<PreparedTurn> {
    const { deps } = this.#repository;
    return withSpan(deps.telemetry, prepareSpan(deps), () =>
      this.#repository.exclusive(async () => {
        const { window, appended, ...turn } = await prepareTurn(this.#repository, this.#emitter, options);
        this.#prepared = { messages: turn.messages, window, appended };
        return turn;
      }),
    );
  }

  /** Compacts the session now. Returns `undefined` if nothing would be saved. */
  compact(options: CompactOptions = {}): Promise<CompactionEvent | undefined> {
    return this.#repository.exclusive(() => compactSession(this.#repository, this.#emitter, options));
  }

  /** Returns what a compaction would remove, keep and cost, without running it. */
  preview(options: CompactOptions = {}): Promise<CompactionPreview | undefined> {
    return this.#repository.exclusive(() => previewSession(this.#repository.snapshot(), options));
  }

  /** Undoes a compaction and those that cover it. Newer messages and masks stay. */
  restore(eventId: string): Promise<void> {
    return this.#repository.exclusive(async () => {
      const events = await this.#repository.allEvents();
      await this.#repository.commit((state) => {
        const reopened = reopen(state, eventId, events);
        if (reopened === undefined) throw new NotFoundError(`Compaction ${eventId}`);
        // No compaction runs again before there are new messages.
        return { state: { ...state, ...reopened, appendedAtCompaction: state.appended } };
      });
    });
  }

  /** Returns the original messages behind a handle: `part:<id>`, `message:<id>`, `messages:<id>..<id>`, or a compaction. */
  expand(handle: string): Promise<Recalled> {
    const { key, store } = this.#repository;
    const read = async () => {
      const events = await this.#repository.allEvents();
      return { handle, messages: await recallHandle(handle, { key, messages: store.messages, events }) };
    };
    return this.#repository.exclusive(read, { load: false });
  }

  /** Same as `expand`. */
  recall(handle: string): Promise<Recalled> {
    return this.expand(handle);
  }

  /** Returns all appended messages, or those from a position on. */
  history(from = 0): Promise<readonly Message[]> {
    const { key, store } = this.#repository;
    return this.#repository.exclusive(() => store.messages.list(key, { from }), { load: false });
  }

  /** Returns the number of messages and compactions, and whether a compaction is running. */
  status(): Promise<SessionHead> {
    return this.#repository.store.sessions.head(this.#repository.key);
  }

  /**
   * Masks old tool outputs at any fill level, if that saves enough to be worth a break of the prompt cache. Call it at
   * the end of a turn, also after an error. Returns whether anything was masked.
   */
  prune(): Promise<boolean> {
    return this.#repository.exclusive(() => pruneSession(this.#repository, this.#emitter));
  }

  /**
   * Reports the provider's answer to the last prepared turn. Its input tokens correct later counts. A context limit below
   * the known one applies to this model from then on. After a refusal the next window is smaller.
   */
  observe(report: TurnReport): Promise<void> {
    return this.#repository.exclusive(async () => {
      const { deps, store, key } = this.#repository;
      const [last] = await store.sessions.receipts(key, 1);
      const receipt = last?.value as Receipt | undefined;
      if (receipt?.modelId !== deps.modelId) return;
      await this.#repository.commit((state) => ({
        state: withUsage(learnFromReport(state, receipt, report, this.#repository.deps), receipt.id, report),
      }));
    });
  }

  /** Returns all compactions in order, each with whether it was undone. */
  compactions(): Promise<readonly ListedCompaction[]> {
    return this.#repository.exclusive(async () => {
      const events = await this.#repository.allEvents();
      const inWindow = eventIdsOf(this.#repository.state.entries, events);
      return [...events.values()].map((event) => ({ ...event, isUndone: !inWindow.has(event.id) }));
    });
  }

  /** Returns the newest receipts, oldest first, with the usage that the provider reported for them. */
  receipts(limit?: number): Promise<readonly Receipt[]> {
    return this.#repository.exclusive(async () => {
      const stored = await this.#repository.store.sessions.receipts(this.#repository.key, limit);
      const { usages = {} } = this.#repository.state;
      return stored.map(({ id, value }) => ({ ...(value as Receipt), ...(usages[id] && { usage: usages[id] }) }));
    });
  }

  /** Listens to the events of the session, also those of other processes if the store supports it. Returns the unsubscribe function. */
  on(listener: SessionListener): () => void {
    return this.#emitter.on(listener);
  }
}

/** Drops counts that came with a message: the caller may have changed its text since. */
function withoutCounts(message: Message): Message {
  return { ...message, parts: message.parts.map(({ tokens: _, countedBy: __, ...part }) => part as Part) };
}
