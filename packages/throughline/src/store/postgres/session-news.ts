import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { tryParseJson } from "../../internal/json.ts";
import type { SessionKey, SessionNews } from "../../ports/store.ts";
import type { PostgresConnections } from "./connections.ts";
import type { Gate } from "./gate.ts";
import { NewsJoiner, splitNews } from "./news-pieces.ts";
import type { PostgresSettings } from "./options.ts";
import { pauseBefore, retry } from "./retry.ts";
import { withStoreErrors } from "./store-problem.ts";
import { beginText, transact } from "./transaction.ts";

type Listener = (news: unknown) => void;

// One channel for a database: to listen to one for each session would cost each server a statement for each.
const CHANNEL = "throughline";

/**
 * News through `LISTEN` and `NOTIFY`. They are hints: what is sent while a lost connection is made again is not heard,
 * and what was sent when one broke may be heard twice. Who may connect to the database may listen too. A pooler that
 * lends connections for single transactions lets nobody listen.
 */
export class PostgresNews implements SessionNews {
  readonly #connections: PostgresConnections;
  readonly #settings: PostgresSettings;
  readonly #gate: Gate;
  readonly #listeners = new Map<string, Set<{ readonly listener: Listener }>>();
  readonly #closing = new AbortController();
  #joiner = new NewsJoiner();
  #listening: Promise<() => Promise<void>> | undefined;

  constructor(connections: PostgresConnections, settings: PostgresSettings, gate: Gate) {
    this.#connections = connections;
    this.#settings = settings;
    this.#gate = gate;
  }

  publish(key: SessionKey, news: unknown): Promise<void> {
    // The order of all news of a server is made while they are committed, so nobody waits for a disk meanwhile.
    const begin = `${beginText(this.#settings, "READ COMMITTED")}; SET LOCAL synchronous_commit TO off`;
    return this.#pass(async () => {
      const payloads = splitNews(this.#topicOf(key), news);
      await this.#connections.lend((connection) =>
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
    return this.#gate.pass(() => withStoreErrors(() => retry(this.#settings.retryMilliseconds, work)));
  }

  /** Sessions of all owners share the channel: what is heard goes to those who asked for exactly this session. */
  #hear(payload: string): void {
    const heard = this.#joiner.add(payload);
    if (heard === undefined) return;
    for (const { listener } of this.#listeners.get(heard.topic) ?? []) {
      // Each gets data of its own. What is no JSON was sent by somebody else.
      const news = tryParseJson(heard.text);
      // One that throws keeps no other from hearing.
      if (news !== undefined) queueMicrotask(() => listener(news.value));
    }
  }

  async #listen(): Promise<void> {
    this.#listening ??= this.#connections.listen(
      CHANNEL,
      (payload) => this.#hear(payload),
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
    this.#joiner = new NewsJoiner();
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

  /** A hash has one length, and tells those who listen too no names. */
  #topicOf({ owner, sessionId }: SessionKey): string {
    const name = JSON.stringify([this.#settings.schema, owner, sessionId]);
    return createHash("sha256").update(name).digest("base64url");
  }
}
