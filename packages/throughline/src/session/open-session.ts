import { SessionBusyError } from "../errors/session-busy-error.ts";
import type { Message } from "../message/message.ts";
import type { Lease, Store } from "../ports/store.ts";
import type { TakenIds } from "./adopt-messages.ts";
import { createTally, type SessionContext, type Tally } from "./session-context.ts";
import { type CompactionEvent, EMPTY_STATE, type SessionState } from "./session-state.ts";
import { materialize, type WindowSources } from "./window.ts";

const LEASE_TIME = 60_000;
const LOCK_POLL = 50;

/** A session as it stands in its store, one piece of work at a time. */
export class OpenSession {
  readonly context: SessionContext;
  readonly store: Store;
  readonly #messages = new Map<string, Message>();
  readonly #events = new Map<string, CompactionEvent>();
  readonly #taken = { messages: new Set<string>(), parts: new Set<string>() };
  readonly #holder = `holder-${Math.random().toString(36).slice(2)}`;
  #state: SessionState = EMPTY_STATE;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(context: SessionContext, store: Store) {
    this.context = context;
    this.store = store;
  }

  get state(): SessionState {
    return this.#state;
  }

  get sources(): WindowSources {
    return { messages: this.#messages, events: this.#events };
  }

  get taken(): TakenIds {
    return this.#taken;
  }

  get tally(): Tally {
    return createTally(this.context.modelId, this.#state.calibration);
  }

  window(): Message[] {
    return materialize(this.#state, this.sources);
  }

  /** The messages that the latest compaction in the window stands for. */
  compacted(): Message[] {
    const latest = this.#state.entries.findLast((entry) => "event" in entry);
    const event = latest && "event" in latest ? this.#events.get(latest.event) : undefined;
    return (event?.compactedMessageIds ?? []).flatMap((id) => this.#messages.get(id) ?? []);
  }

  /** Does the work when everything before it is done. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#queue.then(async () => {
      await this.#load();
      return work();
    });
    this.#queue = done.catch(() => undefined);
    return done;
  }

  /** One compaction at a time, across processes; a lock that was left behind expires. */
  async locked<T>(work: () => Promise<T>): Promise<T> {
    const lease = await this.#acquire();
    try {
      return await work();
    } finally {
      await this.store.release(lease);
    }
  }

  async #acquire(): Promise<Lease> {
    const { clock, sessionId, lockWait } = this.context;
    for (let waited = 0; ; waited += LOCK_POLL) {
      const now = clock.now();
      const lease = { name: `compact:${sessionId}`, holder: this.#holder, expiresAt: now + LEASE_TIME };
      if (await this.store.acquire(lease, now)) return lease;
      if (waited >= lockWait) throw new SessionBusyError(sessionId);
      await new Promise<void>((resolve) => setTimeout(resolve, LOCK_POLL));
    }
  }

  async append(messages: readonly Message[], state: SessionState): Promise<void> {
    await this.store.append(this.context.sessionId, messages, state);
    for (const message of messages) this.#know(message);
    this.#state = state;
  }

  #know(message: Message): void {
    this.#messages.set(message.id, message);
    this.#taken.messages.add(message.id);
    for (const part of message.parts) this.#taken.parts.add(part.id);
  }

  async addEvent(event: CompactionEvent, state: SessionState): Promise<void> {
    await this.store.addRecord(this.context.sessionId, { kind: "compaction", id: event.id, value: event });
    this.#events.set(event.id, event);
    await this.save(state);
  }

  async save(state: SessionState): Promise<void> {
    await this.store.saveState(this.context.sessionId, state);
    this.#state = state;
  }

  /** Somebody else may have gone on with the session since; what is new is read. */
  async #load(): Promise<void> {
    const { sessionId } = this.context;
    const state = ((await this.store.loadState(sessionId)) as SessionState | undefined) ?? EMPTY_STATE;
    if (state === this.#state) return;
    this.#state = state;
    if (state.appended === this.#messages.size && state.rounds === this.#events.size) return;
    for (const message of await this.store.history(sessionId)) this.#know(message);
    for (const { value } of await this.store.records(sessionId, "compaction")) {
      this.#events.set((value as CompactionEvent).id, value as CompactionEvent);
    }
  }
}
