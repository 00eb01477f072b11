import { createHash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { tryParseJson } from "../../internal/json.ts";
import type { SessionKey, SessionNotifications } from "../../ports/store.ts";
import type { Drain, PostgresConnections, PostgresSettings } from "./connections.ts";
import { beginText, transact } from "./postgres-driver.ts";
import { pauseBefore, retry, withStoreErrors } from "./store-problem.ts";

type Listener = (notification: unknown) => void;

// One channel per database: one per session would cost each server a statement per session.
const CHANNEL = "throughline";

/**
 * Session notifications through `LISTEN` and `NOTIFY`. They are hints: notifications during a reconnect are lost, and
 * one sent while the connection broke may arrive twice. Everyone with access to the database can listen. Connection
 * poolers in transaction mode do not support LISTEN.
 */
export class PostgresNotifications implements SessionNotifications {
  readonly #connections: PostgresConnections;
  readonly #settings: PostgresSettings;
  readonly #gate: Drain;
  readonly #listeners = new Map<string, Set<{ readonly listener: Listener }>>();
  readonly #closing = new AbortController();
  #joiner = new NotificationJoiner();
  #listening: Promise<() => Promise<void>> | undefined;

  constructor(connections: PostgresConnections, settings: PostgresSettings, gate: Drain) {
    this.#connections = connections;
    this.#settings = settings;
    this.#gate = gate;
  }

  publish(key: SessionKey, notification: unknown): Promise<void> {
    // Commits of notifications are serialized per server, so they must not wait for a disk.
    const begin = `${beginText(this.#settings, "READ COMMITTED")}; SET LOCAL synchronous_commit TO off`;
    return this.#pass(async () => {
      const payloads = splitNotification(this.#topicOf(key), notification);
      await this.#connections.withConnection((connection) =>
        transact(connection, begin, async (tx) => {
          for (const payload of payloads) await tx.all("SELECT pg_notify(?, ?)", [CHANNEL, payload]);
        }),
      );
    });
  }

  async subscribe(key: SessionKey, listener: Listener): Promise<() => Promise<void>> {
    const topic = this.#topicOf(key);
    const subscription = { listener };
    this.#listeners.set(topic, (this.#listeners.get(topic) ?? new Set()).add(subscription));
    const unsubscribe = async () => {
      const subscriptions = this.#listeners.get(topic);
      subscriptions?.delete(subscription);
      if (subscriptions?.size === 0) this.#listeners.delete(topic);
      if (this.#listeners.size === 0) await this.#stop();
    };
    try {
      await this.#pass(() => this.#listen());
    } catch (error) {
      await unsubscribe();
      throw error;
    }
    return unsubscribe;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#listeners.clear();
    await this.#stop();
  }

  #pass<T>(work: () => Promise<T>): Promise<T> {
    return this.#gate.pass(() => withStoreErrors(() => retry(this.#settings.retryTimeout, work)));
  }

  /** All sessions share the channel, so notifications are dispatched to the listeners of their session. */
  #receive(payload: string): void {
    const joined = this.#joiner.add(payload);
    if (joined === undefined) return;
    for (const { listener } of this.#listeners.get(joined.topic) ?? []) {
      // Each listener gets its own copy. Payloads that are not JSON come from other programs.
      const notification = tryParseJson(joined.text);
      // A listener that throws does not affect others.
      if (notification !== undefined) queueMicrotask(() => listener(notification.value));
    }
  }

  async #listen(): Promise<void> {
    this.#listening ??= this.#connections.listen(
      CHANNEL,
      (payload) => this.#receive(payload),
      () => void this.#listenAgain(),
    );
    const listening = this.#listening;
    try {
      await listening;
    } catch (error) {
      if (this.#listening === listening) this.#listening = undefined;
      throw error;
    }
  }

  async #listenAgain(): Promise<void> {
    this.#listening = undefined;
    this.#joiner = new NotificationJoiner();
    const { signal } = this.#closing;
    for (let attempt = 1; this.#listeners.size > 0 && !signal.aborted; attempt += 1) {
      const isListening = await this.#listen().then(
        () => true,
        () => false,
      );
      if (isListening) return;
      await sleep(pauseBefore(attempt), undefined, { signal }).catch(() => undefined);
    }
  }

  async #stop(): Promise<void> {
    const listening = this.#listening;
    this.#listening = undefined;
    const stop = await listening?.catch(() => undefined);
    await stop?.();
  }

  /** A hash has a fixed length and does not reveal names to other listeners. */
  #topicOf({ userId, sessionId }: SessionKey): string {
    const name = JSON.stringify([this.#settings.schema, userId, sessionId]);
    return createHash("sha256").update(name).digest("base64url");
  }
}

// PostgreSQL limits a notification to less than 8000 bytes, including our header.
const PIECE = 7800;
const MAX_PIECES = 64;

/** One received notification, as JSON. */
interface ReceivedNotification {
  readonly topic: string;
  readonly text: string;
}

/**
 * Splits a notification into chunks, to be sent in order in one transaction, which keeps them together.
 *
 * @throws InvalidOptionError if the notification is too large.
 */
export function splitNotification(topic: string, notification: unknown): string[] {
  const text = toAscii(JSON.stringify(notification ?? null));
  const count = Math.ceil(text.length / PIECE);
  if (count > MAX_PIECES) {
    throw new InvalidOptionError("notification", `${text.length} bytes`, `at most ${PIECE * MAX_PIECES} bytes of JSON`);
  }
  const id = randomUUID();
  return Array.from({ length: count }, (_, i) => {
    const piece = text.slice(i * PIECE, (i + 1) * PIECE);
    return `${topic} ${id} ${i + 1}/${count} ${piece}`;
  });
}

const FORM = /^(?<topic>\S+) (?<id>\S+) (?<number>\d+)\/(?<count>\d+) (?<piece>.*)$/s;

/** Joins received chunks. Ignores other payloads, and chunks whose beginning was missed. */
export class NotificationJoiner {
  #id: string | undefined;
  #pieces: string[] = [];

  /** Returns the notification if this was its last chunk. */
  add(payload: string): ReceivedNotification | undefined {
    const { topic, id, number, count, piece } = FORM.exec(payload)?.groups ?? {};
    if (topic === undefined || piece === undefined) return undefined;
    if (number === "1") {
      this.#id = id;
      this.#pieces = [];
    }
    const isNext = id === this.#id && Number(number) === this.#pieces.length + 1 && Number(count) <= MAX_PIECES;
    if (!isNext) return undefined;
    this.#pieces.push(piece);
    return number === count ? { topic, text: this.#pieces.join("") } : undefined;
  }
}

/** One byte per character, independent of the database encoding. */
function toAscii(json: string): string {
  return json.replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
