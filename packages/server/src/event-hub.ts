import type { Clock, Logger } from "throughline";
import type { EventLog, NewEvent, StoredEvent, TokenStore } from "throughline/internal/sql";
import { messageOf } from "throughline/internal/util";
import { isCurrentToken } from "./middleware/check-token.ts";
import { announceAppend } from "./middleware/idempotent-steps.ts";
import type { Caller } from "./server-env.ts";

/** Milliseconds between polls for changes by other servers: new events and revoked tokens. */
const POLL = 500;
const PAGE = 200;
const MAX_STREAMS = 1_000;
const MAX_STREAMS_PER_CALLER = 50;

export interface Listening {
  /** Project events go to callers of that project. Events without a project go to all callers of the user. */
  readonly caller: Pick<Caller, "userId" | "projectId" | "tokenId">;
  readonly sessionId?: string;
  /** Only events after this one (default: new events). */
  readonly after?: number;
}

/** An open stream. The subscriber must end it. */
export interface Subscription {
  /** Events in order, until the stream ends or its token becomes invalid. */
  readonly events: AsyncIterable<StoredEvent>;
  end(): void;
}

export interface HubOptions {
  readonly log: EventLog;
  readonly tokens: TokenStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly maxStreams?: number;
}

interface Listener extends Listening {
  readonly ended: AbortController;
  /** True if there may be new events to read. */
  isWoken: boolean;
  /** Resumes a waiting listener. */
  resume?: () => void;
}

/** Delivers events to the listeners of this server, also events of other servers on the same store. */
export class EventHub {
  readonly #options: HubOptions;
  /** Listeners by user id. */
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #counts = new Map<string, number>();
  #size = 0;
  /** The newest event of each user at the last poll. */
  #seen: ReadonlyMap<string, number> = new Map();
  #isClosed = false;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: HubOptions) {
    this.#options = options;
  }

  /** Number of open streams. */
  get size(): number {
    return this.#size;
  }

  /** Publishes an event. Never rejects: failures of the event log are logged, because the change is already stored. */
  async publish(
    { userId, projectId }: Pick<Caller, "userId" | "projectId">,
    event: Pick<NewEvent, "type" | "sessionId" | "data">,
  ): Promise<void> {
    const { log, logger } = this.#options;
    try {
      await log.append([{ ...event, owner: userId, ...(projectId !== undefined && { projectId }) }]);
    } catch (error) {
      logger.warn(`Could not store event ${event.type}: ${messageOf(error)}`);
    }
    this.#wakeListeners(userId);
  }

  #wakeListeners(userId: string): void {
    for (const listener of this.#listeners.get(userId) ?? []) wake(listener);
  }

  /** Runs an append to a session, whose event is stored with it. Rejects if the append does. */
  async publishAppend<T>(
    { userId, projectId }: Pick<Caller, "userId" | "projectId">,
    sessionId: string,
    append: () => Promise<T>,
  ): Promise<T> {
    const type = "session:appended";
    const about = { owner: userId, ...(projectId !== undefined && { projectId }), sessionId, type };
    const result = await announceAppend((appended) => ({ ...about, data: { appended } }), append);
    this.#wakeListeners(userId);
    return result;
  }

  /** Opens a stream, or returns the limit that is reached. */
  subscribe(listening: Listening): Subscription | "caller" | "server" {
    const { maxStreams = MAX_STREAMS } = this.#options;
    const { userId, tokenId } = listening.caller;
    const name = tokenId ?? `user:${userId}`;
    const count = this.#counts.get(name) ?? 0;
    if (count >= MAX_STREAMS_PER_CALLER) return "caller";
    if (this.#size >= maxStreams || this.#isClosed) return "server";
    const listener: Listener = { ...listening, ended: new AbortController(), isWoken: false };
    this.#listeners.set(userId, (this.#listeners.get(userId) ?? new Set()).add(listener));
    this.#counts.set(name, count + 1);
    this.#size += 1;
    this.#timer ??= setInterval(() => void this.#poll(), POLL).unref();
    listener.ended.signal.addEventListener("abort", () => this.#leave(listener, name), { once: true });
    return { events: this.#events(listener), end: () => listener.ended.abort() };
  }

  #leave(listener: Listener, name: string): void {
    const { userId } = listener.caller;
    const others = this.#listeners.get(userId);
    others?.delete(listener);
    if (others?.size === 0) this.#listeners.delete(userId);
    const left = (this.#counts.get(name) ?? 1) - 1;
    if (left > 0) this.#counts.set(name, left);
    else this.#counts.delete(name);
    this.#size -= 1;
    wake(listener);
    if (this.#size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Ends the streams of a token. */
  endToken(tokenId: string): void {
    for (const listener of this.#all()) if (listener.caller.tokenId === tokenId) listener.ended.abort();
  }

  /** Ends all streams and rejects new ones. */
  close(): void {
    this.#isClosed = true;
    for (const listener of this.#all()) listener.ended.abort();
  }

  #all(): readonly Listener[] {
    return [...this.#listeners.values()].flatMap((some) => [...some]);
  }

  async *#events(listener: Listener): AsyncGenerator<StoredEvent> {
    const { log } = this.#options;
    const { caller, sessionId, after } = listener;
    const { signal } = listener.ended;
    const newest = (await log.last([caller.userId])).get(caller.userId) ?? 0;
    // The event ids of a store restored from a backup continue from the backup.
    let last = Math.min(after ?? newest, newest);
    const filter = { owner: caller.userId, limit: PAGE, ...(sessionId !== undefined && { sessionId }) };
    while (!signal.aborted) {
      listener.isWoken = false;
      const events = await log.read({ ...filter, after: last });
      // Checked after the events were read: a token that was revoked before one of them must not get it.
      if (events.length > 0 && !(await this.#mayListen(listener))) listener.ended.abort();
      for (const event of events) {
        if (signal.aborted) return;
        last = event.sequence;
        if (isVisible(event, listener)) yield event;
      }
      if (events.length === 0) await wakeUp(listener);
    }
  }

  async #mayListen({ caller: { tokenId } }: Listener): Promise<boolean> {
    if (tokenId === undefined) return true;
    const { tokens, clock } = this.#options;
    return isCurrentToken(await tokens.find(tokenId), clock.now());
  }

  async #poll(): Promise<void> {
    try {
      await Promise.all([this.#look(), this.#endInvalidTokens()]);
    } catch (error) {
      this.#options.logger.warn(`Could not subscribe to the events of other servers: ${messageOf(error)}`);
    }
  }

  /** Wakes the listeners of users that have new events. One query serves all listeners. */
  async #look(): Promise<void> {
    const newest = await this.#options.log.last([...this.#listeners.keys()]);
    for (const [userId, last] of newest) if (this.#seen.get(userId) !== last) this.#wakeListeners(userId);
    this.#seen = newest;
  }

  /** Tokens can be revoked by other servers or the command line, and they expire. */
  async #endInvalidTokens(): Promise<void> {
    const { tokens, clock } = this.#options;
    const ids = [...new Set(this.#all().flatMap(({ caller }) => caller.tokenId ?? []))];
    if (ids.length === 0) return;
    const current = new Set(
      (await tokens.list({ ids })).filter((one) => isCurrentToken(one, clock.now())).map(({ id }) => id),
    );
    for (const id of ids) if (!current.has(id)) this.endToken(id);
  }
}

function isVisible(event: StoredEvent, { caller, sessionId }: Listener): boolean {
  const isHere = event.projectId === undefined || event.projectId === caller.projectId;
  return isHere && (sessionId === undefined || event.sessionId === sessionId);
}

function wake(listener: Listener): void {
  listener.isWoken = true;
  listener.resume?.();
}

/** Waits until the listener is woken or its stream ends. */
async function wakeUp(listener: Listener): Promise<void> {
  if (listener.isWoken || listener.ended.signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  listener.resume = resolve;
  await promise;
}
