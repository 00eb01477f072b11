import { SessionBusyError } from "../errors/session-busy-error.ts";
import { StoreError } from "../errors/store-error.ts";
import type { Message } from "../message/message.ts";
import type { Commit, SessionHead, SessionKey, Store } from "../ports/store.ts";
import { adoptMessages, type TakenIds } from "./adopt-messages.ts";
import { withLearntLimit } from "./learn-from-report.ts";
import { createTally, type SessionContext, type Tally } from "./session-context.ts";
import { type CompactionEvent, EMPTY_STATE, fromStored, type SessionState, takeIn, toStored } from "./session-state.ts";
import { materialize, type WindowSources } from "./window.ts";

const LOCK_POLL = 50;
/** How often something is tried again that somebody else came before. */
const TRIES = 200;
/** So many messages may be taken in again when a session is read, before its state is stored. */
const UNSAVED_MESSAGES = 64;

/** What somebody wants to leave behind, made from how things stand. */
export interface Change {
  readonly state?: SessionState;
  readonly event?: CompactionEvent;
  readonly receipts?: NonNullable<Commit["receipts"]>;
  readonly marks?: NonNullable<Commit["marks"]>;
}

/** A session as it stands in its store, one piece of work at a time. Only what the window shows is held in memory. */
export class OpenSession {
  readonly store: Store;
  readonly key: SessionKey;
  readonly #context: SessionContext;
  /** Tells this object from others that work on the same session. */
  readonly holder = `holder-${Math.random().toString(36).slice(2)}`;
  #messages = new Map<string, Message>();
  #events = new Map<string, CompactionEvent>();
  #state: SessionState = EMPTY_STATE;
  /** How many messages the stored state has taken in. */
  #stored = 0;
  #head: SessionHead | undefined;
  /** Where the next message goes, as far as is known. */
  #end: number | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(context: SessionContext, store: Store) {
    this.#context = context;
    this.store = store;
    this.key = { owner: context.owner, sessionId: context.sessionId };
  }

  /** What the session was opened with, and what was learnt of its model since. */
  get context(): SessionContext {
    return withLearntLimit(this.#context, this.#state);
  }

  get state(): SessionState {
    return this.#state;
  }

  /** What the entries of the window stand for. */
  get sources(): WindowSources {
    return { messages: this.#messages, events: this.#events };
  }

  get tally(): Tally {
    return createTally(this.context.modelId, this.#state.calibration);
  }

  /** How many receipts there are. */
  get receipts(): number {
    return this.#head?.receipts ?? 0;
  }

  window(): Message[] {
    return materialize(this.#state, this.sources);
  }

  /** The latest compaction in the window. */
  latest(): CompactionEvent | undefined {
    const entry = this.#state.entries.findLast((one) => "event" in one);
    return entry && "event" in entry ? this.#events.get(entry.event) : undefined;
  }

  /** Every compaction that ever was, undone ones included. */
  async allEvents(): Promise<ReadonlyMap<string, CompactionEvent>> {
    const stored = await this.store.sessions.compactions(this.key);
    return new Map(stored.map((event) => [event.id, fromStored(event, this.key.sessionId)]));
  }

  /** Does the work when everything before it is done. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(work);
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** The same, on the session as the store has it by then. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    return this.inTurn(async () => {
      await this.#load();
      return work();
    });
  }

  /** One compaction at a time, across processes. The lease is renewed while the work lasts, and expires with us. */
  async locked<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.#acquire(signal);
    const stop = this.#keepRenewing();
    try {
      return await work();
    } finally {
      await stop();
      await this.#release();
    }
  }

  /** What was done stays done where this fails: the lease ends by itself. */
  async #release(): Promise<void> {
    try {
      await this.store.sessions.lease(this.key, this.holder, 0);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      this.context.logger.warn(`The lease on session ${this.key.sessionId} was not given back: ${why}`);
    }
  }

  #keepRenewing(): () => Promise<void> {
    const { lockTime } = this.context;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    let renewal = Promise.resolve(true);
    const wait = () => {
      if (isOver) return;
      timer = setTimeout(() => {
        // One that fails is tried again; a lease that is lost shows at the commit.
        renewal = this.store.sessions.lease(this.key, this.holder, lockTime).catch(() => false);
        renewal.then(wait);
      }, lockTime / 3);
    };
    wait();
    return async () => {
      isOver = true;
      clearTimeout(timer);
      await renewal;
    };
  }

  async #acquire(signal: AbortSignal | undefined): Promise<void> {
    const { lockWait, lockTime } = this.context;
    for (let waited = 0; ; waited += LOCK_POLL) {
      throwIfAborted(signal);
      if (await this.store.sessions.lease(this.key, this.holder, lockTime)) break;
      if (waited >= lockWait) throw new SessionBusyError(this.key.sessionId);
      await new Promise<void>((resolve) => setTimeout(resolve, LOCK_POLL));
    }
    // Whoever held it may have compacted.
    await this.#load();
  }

  /**
   * Adds messages behind all others, whoever else appends meanwhile. They are only written: whoever needs the window
   * takes them in, so that this costs the same however long the session is.
   */
  async append(messages: readonly Message[]): Promise<void> {
    const taken = { messages: new Set<string>(), parts: new Set<string>() };
    for (let tries = 0; tries < TRIES; tries += 1) {
      const at = this.#end ?? (await this.store.sessions.head(this.key)).appended;
      const adopted = adoptMessages(messages, this.key.sessionId, at, taken, this.context.clock.now());
      try {
        const isDone = await this.store.messages.append(this.key, at, adopted);
        this.#end = isDone ? at + adopted.length : undefined;
        if (isDone) return;
      } catch (error) {
        if (!(await this.#learnTaken(adopted, taken, error))) throw error;
      }
    }
    throw new StoreError("busy", `Others append to session ${this.key.sessionId} without a pause.`);
  }

  /** Which ids are taken, where that is what an append failed for. */
  async #learnTaken(messages: readonly Message[], taken: TakenIds, error: unknown): Promise<boolean> {
    if (!(error instanceof StoreError) || error.problem !== "duplicate-id") return false;
    const found = await this.store.messages.taken(this.key, idsOf(messages));
    for (const id of found.messages) taken.messages.add(id);
    for (const id of found.parts) taken.parts.add(id);
    return found.messages.length + found.parts.length > 0;
  }

  /**
   * Stores what `change` makes of the session as it stands; made anew where somebody else committed meanwhile.
   *
   * @returns `false` where there was no longer anything to change.
   */
  async commit(change: (state: SessionState) => Change | undefined): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const made = change(this.#state);
      if (made === undefined) return false;
      if (await this.#store(made)) return true;
      await this.#load();
    }
    throw new StoreError("busy", `Others commit to session ${this.key.sessionId} without a pause.`);
  }

  async #store({ state = this.#state, event, receipts, marks }: Change): Promise<boolean> {
    const isDue = state !== this.#state || state.appended - this.#stored >= UNSAVED_MESSAGES;
    const done = await this.store.sessions.commit(this.key, {
      revision: this.#head?.revision ?? 0,
      ...(isDue ? { state } : {}),
      ...(event === undefined ? {} : { compactions: [toStored(event)] }),
      ...(receipts === undefined ? {} : { receipts }),
      ...(marks === undefined ? {} : { marks }),
    });
    if (!done) return false;
    if (isDue) this.#stored = state.appended;
    if (event !== undefined) this.#events.set(event.id, event);
    this.#state = state;
    if (this.#head !== undefined) {
      const { revision, receipts: count } = this.#head;
      this.#head = { ...this.#head, revision: revision + 1, receipts: count + (receipts?.length ?? 0) };
    }
    await this.#gather();
    return true;
  }

  async #takeIn(messages: readonly Message[]): Promise<void> {
    for (const message of messages) this.#messages.set(message.id, message);
    this.#state = await takeIn(this.#state, messages);
  }

  /** Somebody else may have gone on with the session since; what is new is read. */
  async #load(): Promise<void> {
    const head = await this.store.sessions.head(this.key);
    const revision = this.#head?.revision ?? 0;
    // What has become less was erased: nothing that is held of it may be shown again.
    const isErased = head.revision < revision || head.appended < this.#state.appended;
    if (isErased) this.#forget([]);
    if (isErased || head.revision !== revision) {
      this.#state = ((await this.store.sessions.state(this.key)) as SessionState | undefined) ?? EMPTY_STATE;
      this.#stored = this.#state.appended;
    }
    this.#head = head;
    this.#end = head.appended;
    if (this.#state.appended < head.appended) {
      await this.#takeIn(await this.store.messages.list(this.key, { from: this.#state.appended }));
    }
    await this.#gather();
  }

  /** Holds what the entries name and nothing else. */
  async #gather(): Promise<void> {
    const { entries } = this.#state;
    const isHeld = (entry: (typeof entries)[number]) =>
      "message" in entry ? this.#messages.has(entry.message) : this.#events.has(entry.event);
    const missing = entries.filter((entry) => !isHeld(entry));
    if (missing.length > 0) {
      const ids = missing.flatMap((entry) => ("message" in entry ? [entry.message] : []));
      for (const message of await this.store.messages.get(this.key, ids)) this.#messages.set(message.id, message);
      const events = missing.flatMap((entry) => ("event" in entry ? [entry.event] : []));
      for (const event of await this.store.sessions.compactions(this.key, events)) {
        this.#events.set(event.id, fromStored(event, this.key.sessionId));
      }
    }
    if (this.#messages.size + this.#events.size > entries.length) this.#forget(entries);
  }

  #forget(entries: SessionState["entries"]): void {
    const held = <T>(from: ReadonlyMap<string, T>, id: string) => {
      const value = from.get(id);
      return value === undefined ? [] : [[id, value] as const];
    };
    this.#messages = new Map(
      entries.flatMap((entry) => ("message" in entry ? held(this.#messages, entry.message) : [])),
    );
    this.#events = new Map(entries.flatMap((entry) => ("event" in entry ? held(this.#events, entry.event) : [])));
  }
}

/** @throws the signal's reason, where it was aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw signal.reason;
}

function idsOf(messages: readonly Message[]): { messages: string[]; parts: string[] } {
  return {
    messages: messages.map(({ id }) => id),
    parts: messages.flatMap(({ parts }) => parts.map(({ id }) => id)),
  };
}
