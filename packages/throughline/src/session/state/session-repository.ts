import { editedParts } from "../../compact/edited-parts.ts";
import { type CompactionEvent, type Entry, materialize, type WindowSources } from "../../compact/window.ts";
import { StoreError } from "../../errors/store-errors.ts";
import { omitUndefined } from "../../internal/json.ts";
import { reduceLedgerYielding } from "../../ledger/reduce-ledger.ts";
import type { Message } from "../../message/message.ts";
import { busy, MAX_TRIES, type SessionHead, type SessionKey, type Store } from "../../ports/store.ts";
import type { Receipt } from "../../receipt/receipt.ts";
import { createTokenCounter, type TokenCounter } from "../../tokens/token-counter.ts";
import { withLearnedLimit } from "../learn-from-report.ts";
import { type SessionDeps, thresholdOf } from "../session-settings.ts";
import { ReceiptLog } from "./receipt-log.ts";
import {
  applyChanges,
  EMPTY_STATE,
  fromStored,
  readState,
  type SessionChanges,
  type SessionState,
  toStored,
} from "./session-state.ts";

/** Ids that are known to be taken in a session. */
interface TakenIds {
  readonly messages: Set<string>;
  readonly parts: Set<string>;
}

/** Number of appended messages after which a commit stores the state, so that loading a session stays cheap. */
const MAX_UNSAVED_MESSAGES = 64;

/** A session as it was loaded. */
export interface SessionSnapshot {
  readonly deps: SessionDeps;
  readonly counter: TokenCounter;
  readonly state: SessionState;
  /** Messages and compactions that the entries of the state refer to. */
  readonly sources: WindowSources;
  /** Messages of the window, masks applied. */
  readonly window: readonly Message[];
}

/** A compaction that would have saved too little, and the situation in which that was found out. */
interface FutileCompaction {
  readonly appended: number;
  readonly rounds: number;
  readonly trigger: number;
}

/** Loads and stores one session, one task at a time. Only the messages of its window are held in memory. */
export class SessionRepository {
  readonly store: Store;
  readonly key: SessionKey;
  readonly receipts: ReceiptLog;
  readonly #deps: SessionDeps;
  /** Identifies this object among all that work on the same session. */
  readonly holder = `holder-${Math.random().toString(36).slice(2)}`;
  #messages = new Map<string, Message>();
  #events = new Map<string, CompactionEvent>();
  #state: SessionState = EMPTY_STATE;
  /** Number of messages that the stored state covers. */
  #stored = 0;
  #head: SessionHead | undefined;
  /** Position of the next message, if it is known. */
  #end: number | undefined;
  #snapshot: Pick<SessionSnapshot, "state" | "sources" | "window"> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** The last compaction that was not worth it. It is not planned again in the same situation. */
  futile: FutileCompaction | undefined;

  constructor(deps: SessionDeps, store: Store) {
    this.#deps = deps;
    this.store = store;
    this.key = { userId: deps.userId, sessionId: deps.sessionId };
    this.receipts = new ReceiptLog(store.sessions, this.key);
  }

  /** Number of receipts when the session was last loaded. */
  get receiptCount(): number {
    return this.#head?.receipts ?? 0;
  }

  /** The settings that the session was opened with, and the context limit that its provider reported since. */
  get deps(): SessionDeps {
    const deps = withLearnedLimit(this.#deps, this.#state);
    return deps === this.#deps ? deps : { ...deps, threshold: thresholdOf(deps) };
  }

  get state(): SessionState {
    return this.#state;
  }

  /** The session as it was last loaded. Messages of its window that are not held yet are read from the store. */
  async snapshot(): Promise<SessionSnapshot> {
    const { deps } = this;
    const state = this.#state;
    const counter = createTokenCounter(deps.modelId, state.calibration);
    // The same state has the same window, and its messages are held.
    if (this.#snapshot?.state === state) return { ...this.#snapshot, deps, counter };
    const { entries } = state;
    const isHeld = (entry: Entry) =>
      "message" in entry ? this.#messages.has(entry.message) : this.#events.has(entry.event);
    const missing = entries.filter((entry) => !isHeld(entry));
    const pinned = editedParts(state).group.filter((id) => !this.#messages.has(id));
    if (missing.length + pinned.length > 0) {
      const ids = [...pinned, ...missing.flatMap((entry) => ("message" in entry ? [entry.message] : []))];
      for (const message of await this.store.messages.get(this.key, ids)) this.#messages.set(message.id, message);
      const events = missing.flatMap((entry) => ("event" in entry ? [entry.event] : []));
      for (const event of await this.store.sessions.compactions(this.key, events)) {
        this.#events.set(event.id, fromStored(event, this.key.sessionId));
      }
    }
    if (this.#messages.size + this.#events.size > entries.length) this.#forget(state);
    const sources = { messages: this.#messages, events: this.#events };
    this.#snapshot = { state, sources, window: materialize(state, sources) };
    return { ...this.#snapshot, deps, counter };
  }

  /** Returns all compactions of the session, undone ones included. */
  async allEvents(): Promise<ReadonlyMap<string, CompactionEvent>> {
    const stored = await this.store.sessions.compactions(this.key);
    return new Map(stored.map((event) => [event.id, fromStored(event, this.key.sessionId)]));
  }

  /** Runs a task after all earlier ones, by default on the session as the store has it then. */
  exclusive<T>(task: () => Promise<T>, { load = true } = {}): Promise<T> {
    const done = this.#queue.then(async () => {
      if (load) await this.load();
      return task();
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /**
   * Appends messages after all others, also if other processes append at the same time. The state is not changed: it
   * covers the new messages the next time it is loaded, so that appending costs the same in a long session.
   *
   * @returns the number of messages in the session.
   */
  async append(messages: readonly Message[]): Promise<number> {
    const taken = { messages: new Set<string>(), parts: new Set<string>() };
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const at = this.#end ?? (await this.store.sessions.head(this.key)).appended;
      const added = assignIds(messages, this.key.sessionId, at, taken, this.deps.clock.now());
      try {
        const isDone = await this.store.messages.append(this.key, at, added);
        this.#end = isDone ? at + added.length : undefined;
        if (isDone) return at + added.length;
      } catch (error) {
        if (!(await this.#learnTaken(added, taken, error))) throw error;
      }
    }
    throw busy("append to", this.key.sessionId);
  }

  /** After an append failed for a duplicate id: records the ids that are taken. Returns `false` for any other error. */
  async #learnTaken(messages: readonly Message[], taken: TakenIds, error: unknown): Promise<boolean> {
    if (!(error instanceof StoreError) || error.problem !== "duplicate-id") return false;
    const found = await this.store.messages.taken(this.key, idsOf(messages));
    for (const id of found.messages) taken.messages.add(id);
    for (const id of found.parts) taken.parts.add(id);
    return found.messages.length + found.parts.length > 0;
  }

  /**
   * Stores changes of the current state. If another process committed meanwhile, the session is loaded and the changes
   * are made again on its new state.
   *
   * @returns the stored receipt, if there is one; `undefined` if the changes do not apply to the new state.
   */
  async commit(changes: SessionChanges): Promise<{ readonly receipt: Receipt | undefined } | undefined> {
    const event = changes.compaction?.event;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const state = applyChanges(this.#state, changes);
      if (state === undefined) return undefined;
      const { revision = 0, receipts = 0 } = this.#head ?? {};
      const next = changes.receipt && this.receipts.next(changes.receipt, receipts);
      const isDue = state !== this.#state || state.appended - this.#stored >= MAX_UNSAVED_MESSAGES;
      const commit = omitUndefined({
        revision,
        state: isDue ? state : undefined,
        compactions: event && [toStored(event)],
        receipts: next && [next.stored],
        marks: changes.pruned?.marks,
      });
      if (!(await this.store.sessions.commit(this.key, commit))) {
        await this.load();
        continue;
      }
      if (isDue) this.#stored = state.appended;
      if (event !== undefined) this.#events.set(event.id, event);
      this.#state = state;
      if (next !== undefined) this.receipts.added(next);
      this.#head = this.#head && { ...this.#head, revision: revision + 1, receipts: next?.last.number ?? receipts };
      return { receipt: next?.receipt };
    }
    throw busy("commit to", this.key.sessionId);
  }

  /** Reads everything that is new in the store, and adds new messages to the state. Returns whether nothing was new. */
  async load(): Promise<boolean> {
    const before = this.#state;
    const head = await this.store.sessions.head(this.key);
    const revision = this.#head?.revision ?? 0;
    // Fewer revisions or messages than before: the session was erased, so nothing held in memory may be used.
    const isErased = head.revision < revision || head.appended < before.appended;
    if (isErased) this.#forget(EMPTY_STATE);
    if (isErased || head.revision !== revision) {
      this.receipts.forget();
      this.#state = readState(await this.store.sessions.state(this.key));
      this.#stored = this.#state.appended;
    }
    this.#head = head;
    this.#end = head.appended;
    if (this.#state.appended < head.appended) {
      const added = await this.store.messages.list(this.key, { from: this.#state.appended });
      let { ledger } = this.#state;
      for (const message of added) {
        this.#messages.set(message.id, message);
        ledger = await reduceLedgerYielding(ledger, message);
      }
      const entries = [...this.#state.entries, ...added.map(({ id }) => ({ message: id }))];
      this.#state = { ...this.#state, entries, ledger, appended: this.#state.appended + added.length };
    }
    return this.#state === before;
  }

  /** Holds the messages and compactions of a window, and no others. */
  #forget(state: SessionState): void {
    const { entries } = state;
    const findIn = <T>(from: ReadonlyMap<string, T>, id: string) => {
      const value = from.get(id);
      return value === undefined ? [] : [[id, value] as const];
    };
    const ids = entries.flatMap((entry) => ("message" in entry ? [entry.message] : []));
    this.#messages = new Map([...ids, ...editedParts(state).group].flatMap((id) => findIn(this.#messages, id)));
    this.#events = new Map(entries.flatMap((entry) => ("event" in entry ? findIn(this.#events, entry.event) : [])));
  }
}

function idsOf(messages: readonly Message[]): { messages: string[]; parts: string[] } {
  return {
    messages: messages.map(({ id }) => id),
    parts: messages.flatMap(({ parts }) => parts.map(({ id }) => id)),
  };
}

/**
 * Assigns messages to a session, the first at position `at`. Ids of messages and parts are unique in a session; a taken
 * or foreign id is replaced. Messages without a time get `now`.
 */
export function assignIds(
  messages: readonly Message[],
  sessionId: string,
  at: number,
  taken: TakenIds,
  now: number,
): Message[] {
  const own = { messages: new Set<string>(), parts: new Set<string>() };
  const isFree = (kind: keyof TakenIds, id: string) => id !== "" && !taken[kind].has(id) && !own[kind].has(id);
  const free = (kind: keyof TakenIds, wanted: string) => {
    let id = wanted;
    for (let n = 2; !isFree(kind, id); n += 1) id = `${wanted}~${n}`;
    own[kind].add(id);
    return id;
  };
  return messages.map((message, index) => {
    const isOwn = message.sessionId === sessionId && isFree("messages", message.id);
    const id = free("messages", isOwn ? message.id : `${sessionId}/m${at + index}`);
    const parts = message.parts.map((part, i) => {
      const partId = free("parts", isOwn && isFree("parts", part.id) ? part.id : `${id}.${i}`);
      return part.id === partId ? part : { ...part, id: partId };
    });
    return { ...message, id, sessionId, createdAt: message.createdAt || now, parts };
  });
}
