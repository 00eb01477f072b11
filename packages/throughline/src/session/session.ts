import type { CompactionPreview } from "../compact/plan-compaction.ts";
import { type CompactionEvent, eventIdsOf, findEvent, reopen } from "../compact/window.ts";
import { checkOptions } from "../errors/check-options.ts";
import { NotFoundError } from "../errors/store-errors.ts";
import { checkMessages } from "../message/check-messages.ts";
import { convertRichToModel, type ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { ModelMessage } from "../message/convert/ai-sdk-types.ts";
import type { Message } from "../message/message.ts";
import type { Part } from "../message/part.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { busy, MAX_TRIES, type SessionHead, type Store } from "../ports/store.ts";
import type { Receipt } from "../receipt/receipt.ts";
import { storeTokensYielding } from "../tokens/count-message.ts";
import { counterFor } from "../tokens/count-tokens.ts";
import { BackgroundSummary } from "./background-summary.ts";
import {
  type CompactOptions,
  compactSession,
  type PreviewOptions,
  previewSession,
  pruneSession,
} from "./compact-session.ts";
import type { Recalled } from "./edit-window.ts";
import { learnFromReport, REPORT_RULES, type TurnReport, withUsage } from "./learn-from-report.ts";
import { SessionEmitter, type SessionListener, withSessionSpan } from "./session-events.ts";
import { type PreparedTurn, type PrepareOptions, turnWindows } from "./session-options.ts";
import type { SessionDeps } from "./session-settings.ts";
import { SessionWindow } from "./session-window.ts";
import { SessionLease } from "./state/session-lease.ts";
import { SessionRepository } from "./state/session-repository.ts";
import type { ListedCompaction, SessionState } from "./state/session-state.ts";
import { prepareTurn, type SessionParts } from "./turn.ts";

/** The window that `session.prepare` returned last. */
export interface PreparedWindow {
  /** Messages as they were returned, in the format of the AI SDK. */
  readonly messages: readonly ModelMessage[];
  /** The same messages in Throughline's own form: their parts have the ids of the history. */
  readonly window: readonly Message[];
  /** Number of messages in the session at that time. */
  readonly appended: number;
}

/**
 * One conversation with a model. Append its messages, and prepare a window that fits the model for each call. Get one
 * from `tl.session(id)`.
 *
 * Calls are queued and run one after another, so you need not wait for one before the next; only `status` answers at
 * once.
 *
 * @example
 * const session = tl.session("s1", { modelId: "claude-sonnet-4-5" });
 * await session.append([{ role: "user", content: "Rename the module." }]);
 * const { system, messages } = await session.prepare({ system: "You are a coding agent." });
 */
export class Session {
  /** Id that the session was opened with. */
  readonly id: string;
  /** The current window: read it, pin content, mask content and restore it. */
  readonly window: SessionWindow;
  readonly #repository: SessionRepository;
  readonly #parts: SessionParts;
  #prepared: PreparedWindow | undefined;

  /** Called by `tl.session`. */
  constructor(deps: SessionDeps, store: Store) {
    this.id = deps.sessionId;
    this.#repository = new SessionRepository(deps, store);
    const emitter = new SessionEmitter(this.#repository, deps.logger);
    const lease = new SessionLease(this.#repository, emitter);
    this.#parts = { repository: this.#repository, emitter, lease, summary: new BackgroundSummary(this.#repository) };
    this.window = new SessionWindow(this.#parts);
  }

  /** The last window that this object prepared; `undefined` before the first turn. */
  get lastWindow(): PreparedWindow | undefined {
    return this.#prepared;
  }

  /**
   * Appends messages to the history and counts their tokens.
   *
   * @param messages Messages in the order of the conversation: those of the AI SDK, or Throughline's own. An id that is
   *   missing, taken or from another session is replaced. An empty list does nothing.
   * @returns the number of messages in the session.
   * @throws InvalidMessageError if one of them is invalid or cannot be converted. Then none is appended.
   * @throws StoreError if the store cannot write.
   *
   * @example
   * await session.append([{ role: "user", content: "Which tests fail?" }]);
   */
  async append(messages: readonly (Message | ForeignModelMessage)[]): Promise<number> {
    const { modelId, onAppend } = this.#repository.deps;
    const counter = counterFor(modelId, 1);
    // Converted before the first await: the caller may change the list afterwards.
    const converted = toRichWindow(messages);
    checkMessages(converted);
    const read = converted.map(withoutCounts);
    if (read.length === 0) return (await this.status()).appended;
    const count = await this.#repository.exclusive(
      async () => {
        const counted: Message[] = [];
        for (const message of read) counted.push(await storeTokensYielding(message, { modelId, counter }));
        const total = await this.#repository.append(counted);
        this.#parts.summary.noteAppended(counted);
        return total;
      },
      { load: false },
    );
    onAppend?.(read.length);
    return count;
  }

  /**
   * Prepares the next model call: a window that the provider accepts and that fits the budget, with a receipt that
   * explains each token. If the window is too full, old tool outputs are masked and older messages compacted. The
   * stored history stays complete. Does not wait for the model that writes summaries, unless `waitForModel` is set.
   *
   * @param options System prompt, budget and memories. Default: the context limit without the output reserve, no
   *   memories.
   * @throws IrreducibleContextError if the system prompt and the parts that must stay are larger than the budget.
   * @throws SessionBusyError if another process compacts the session for longer than `lockWait`.
   * @throws InvalidOptionError for unknown options and values of the wrong type.
   *
   * @example
   * const turn = await session.prepare({ system: "Be brief.", memory: true });
   * const { text } = await generateText({ model, system: turn.system, messages: turn.messages });
   */
  prepare(options: PrepareOptions = {}): Promise<PreparedTurn> {
    return withSessionSpan(this.#repository.deps, "prepare", () =>
      this.#repository.exclusive(async () => {
        try {
          const { fitted, state, ...turn } = await prepareTurn(this.#parts, options);
          const { messages: window } = fitted;
          // Converted when they are read: the server needs the window alone.
          let converted: ModelMessage[] | undefined;
          const messages = () => (converted ??= convertRichToModel(window));
          if (options.dryRun !== true) {
            this.#prepared = {
              get messages() {
                return messages();
              },
              window,
              appended: state.appended,
            };
          }
          const prepared: PreparedTurn = {
            get messages() {
              return messages();
            },
            ...turn,
          };
          turnWindows.set(prepared, window);
          return prepared;
        } finally {
          await this.#parts.lease.release();
        }
      }),
    );
  }

  /**
   * Compacts the session now, at any fill level: replaces older messages by a summary, and waits for the model if there
   * is one. Undo it with `restore`.
   *
   * @param options Focus and size of the summary, size of the tail. Default: sizes relative to the threshold of the
   *   session.
   * @returns the compaction, or `undefined` if it would save nothing.
   * @throws SessionBusyError if another process compacts the session for longer than `lockWait`.
   * @throws InvalidOptionError for unknown options and values of the wrong type.
   *
   * @example
   * const compaction = await session.compact({ focus: "the failing tests" });
   * console.log(`${compaction?.tokensBefore} → ${compaction?.tokensAfter} tokens`);
   */
  compact(options: CompactOptions = {}): Promise<CompactionEvent | undefined> {
    return this.#repository.exclusive(() =>
      compactSession(this.#parts, options).finally(() => this.#parts.lease.release()),
    );
  }

  /**
   * Shows what `compact` would remove and keep, without changing the session. The summary of the preview is written
   * without a model.
   *
   * @param options Same as for `compact`; also another budget, profile or model.
   * @returns the preview, or `undefined` if a compaction would save nothing.
   * @throws InvalidOptionError for unknown options and values of the wrong type.
   *
   * @example
   * const preview = await session.preview({ keepTokens: 2_000 });
   * for (const { text } of preview?.critical ?? []) console.warn(`Would be lost: ${text}`);
   */
  preview(options: PreviewOptions = {}): Promise<CompactionPreview | undefined> {
    return this.#repository.exclusive(async () => previewSession(await this.#repository.snapshot(), options));
  }

  /**
   * Undoes a compaction, and later ones that include it: the window has the original messages again, with the tool
   * outputs that were masked in the same turn. Later messages and masks stay. Until you append new messages, `prepare`
   * neither masks nor compacts again: if the window does not fit the budget, it is trimmed, and a note of the receipt
   * says so. In a chat (`profile: "chat"`), it does not as long as the window fits the budget.
   *
   * @param eventId Id of the compaction, from `compact` or `compactions`, or its short name, such as `compaction-2`.
   * @returns false if the compaction was already undone, on its own or with an earlier one. Then nothing changes.
   * @throws NotFoundError if the session has no compaction with this id.
   * @throws StoreError `busy` if other processes change the session all the time.
   *
   * @example
   * const compaction = await session.compact();
   * if (compaction !== undefined) await session.restore(compaction.id);
   */
  restore(eventId: string): Promise<boolean> {
    return this.#repository.exclusive(async () => {
      this.#parts.summary.cancel();
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        // Another process may have compacted over this compaction since the last attempt.
        const events = await this.#repository.allEvents();
        const event = findEvent(events, eventId, this.id);
        if (event === undefined) {
          const id = `Compaction id ${JSON.stringify(eventId)}`;
          throw new NotFoundError(id, `in session ${this.id}`, "`session.compactions()` lists ids.");
        }
        if (reopen(this.#repository.state, event.id, events) === undefined) return false;
        const edit = (state: SessionState) => {
          const reopened = reopen(state, event.id, events);
          // No compaction runs again before there are new messages. A summary of the next round covers the undone one.
          const isPaused = this.#repository.deps.profile.style === "chat";
          return (
            reopened && { ...state, ...reopened, appendedAtCompaction: state.appended, isPaused, prose: undefined }
          );
        };
        if ((await this.#repository.commit({ edit })) !== undefined) return true;
      }
      throw busy("restore a compaction of", this.id);
    });
  }

  /**
   * Returns the original messages behind a handle. Handles are in summaries, masked tool outputs and receipts.
   *
   * @param handle `part:<id>`, `message:<id>`, `messages:<id>..<id>` (both included), or a compaction by its id or its
   *   short name, such as `compaction-2`.
   * @throws NotFoundError if the handle matches no message of this session.
   *
   * @example
   * const { messages } = await session.expand("compaction-1");
   */
  expand(handle: string): Promise<Recalled> {
    const { key, store } = this.#repository;
    const read = async () => {
      const events = await this.#repository.allEvents();
      const { recallHandle } = await import("./edit-window.ts");
      return { handle, messages: await recallHandle(handle, { key, messages: store.messages, events }) };
    };
    return this.#repository.exclusive(read, { load: false });
  }

  /**
   * Same as `expand`.
   *
   * @param handle Same as for `expand`.
   * @throws NotFoundError if the handle matches no message of this session.
   *
   * @example
   * const { messages } = await session.recall("message:s1/m4");
   */
  recall(handle: string): Promise<Recalled> {
    return this.expand(handle);
  }

  /**
   * Returns the appended messages, in order and without changes by pruning or compaction.
   *
   * @param from Zero-based position of the first message to return. Default: 0, all messages.
   *
   * @example
   * const last = (await session.history()).at(-1);
   */
  history(from = 0): Promise<readonly Message[]> {
    const { key, store } = this.#repository;
    return this.#repository.exclusive(() => store.messages.list(key, { from }), { load: false });
  }

  /**
   * Returns the numbers of messages, compactions and receipts, and whether a compaction is running in any process.
   *
   * @example
   * const { appended, isCompacting } = await session.status();
   */
  status(): Promise<SessionHead> {
    return this.#repository.store.sessions.head(this.#repository.key);
  }

  /**
   * Masks old tool outputs at any fill level, if that saves enough tokens to be worth a break of the prompt cache. Call
   * it at the end of a turn, also after an error. `expand` returns the masked outputs.
   *
   * @returns whether any output was masked.
   *
   * @example
   * const wasPruned = await session.prune();
   */
  prune(): Promise<boolean> {
    return this.#repository.exclusive(() => pruneSession(this.#parts));
  }

  /**
   * Reports the provider's answer to the last prepared turn, to make later turns more exact. The input tokens correct
   * the token counts. A context limit below the known one applies to this model from then on. After a refusal the next
   * window is smaller. Does nothing before the first turn, and if the session was opened with another model since.
   *
   * @param report Usage of the call, or the refusal and its numbers. Fields that you do not know can be left out.
   * @throws InvalidOptionError if a field is invalid or unknown.
   *
   * @example
   * const { messages, system } = await session.prepare();
   * const { usage } = await generateText({ model, system, messages });
   * if (usage.inputTokens !== undefined) await session.reportUsage({ inputTokens: usage.inputTokens });
   */
  async reportUsage(report: TurnReport): Promise<void> {
    checkOptions("session.reportUsage", report, REPORT_RULES);
    return this.#repository.exclusive(async () => {
      const { deps, receipts, receiptCount } = this.#repository;
      const receipt = await receipts.newest(receiptCount);
      if (receipt?.modelId !== deps.modelId) return;
      const edit = (state: SessionState) =>
        withUsage(learnFromReport(state, receipt, report, this.#repository.deps), receipt.id, report);
      await this.#repository.commit({ edit });
    });
  }

  /**
   * Returns all compactions of the session, oldest first, each with whether it was undone.
   *
   * @example
   * const active = (await session.compactions()).filter(({ isUndone }) => !isUndone);
   */
  compactions(): Promise<readonly ListedCompaction[]> {
    return this.#repository.exclusive(async () => {
      const events = await this.#repository.allEvents();
      const inWindow = eventIdsOf(this.#repository.state.entries, events);
      return [...events.values()].map((event) => ({ ...event, isUndone: !inWindow.has(event.id) }));
    });
  }

  /**
   * Returns the receipts of the newest turns, oldest first. A receipt has `usage` if `reportUsage` reported it.
   *
   * @param limit Maximum number of receipts. Default: all.
   *
   * @example
   * const [latest] = await session.receipts(1);
   * console.log(`${latest?.tokens} of ${latest?.budget} tokens`);
   */
  receipts(limit?: number): Promise<readonly Receipt[]> {
    return this.#repository.exclusive(async () => {
      const { usages = {} } = this.#repository.state;
      const found = await this.#repository.receipts.read(limit);
      return found.map((receipt) => ({ ...receipt, ...(usages[receipt.id] && { usage: usages[receipt.id] }) }));
    });
  }

  /**
   * Calls a listener for each compaction and pruning of the session. With PostgreSQL it also gets those of other
   * processes, with Dexie those of other tabs.
   *
   * @param listener Called with each event. Its exceptions are logged and do not stop the session.
   * @returns a function that removes the listener.
   *
   * @example
   * const stop = session.on(({ type, data }) => console.log(type, data));
   */
  on(listener: SessionListener): () => void {
    return this.#parts.emitter.on(listener);
  }
}

/** Drops counts that came with a message: the caller may have changed its text since. */
function withoutCounts(message: Message): Message {
  return { ...message, parts: message.parts.map(({ tokens: _, countedBy: __, ...part }) => part as Part) };
}
