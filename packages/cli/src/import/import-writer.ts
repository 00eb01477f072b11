import { type Message, type Store, StoreError } from "throughline";
import { assignIds } from "throughline/internal";
import type { SessionKey } from "throughline/store";
import { counterFor, countMessageBytes, storeTokens } from "throughline/tokens";
import { type Found, findNew } from "./find-new.ts";

/** So much is held back at the most before it is written. */
const BATCH = { messages: 500, bytes: 4 * 1024 * 1024 };
/** How often a batch is tried again that somebody else's came before. */
const TRIES = 200;

/** What became of the messages of one session. */
export interface SessionTally {
  readonly id: string;
  added: number;
  /** Were there already. */
  known: number;
  /** The ids under which something else is kept, which stays. */
  readonly different: string[];
  /** The first message differs from what is kept: it is another session of the same id, and nothing of it is added. */
  isAnother: boolean;
}

export interface KeeperOptions {
  readonly owner: string;
  readonly modelId: string;
  /** Says what would be added, and adds nothing. */
  readonly dryRun?: boolean;
}

/**
 * Adds messages of many sessions to a store, each once however often they come. What is in the store is a beginning of
 * each session at every moment, so whoever is interrupted goes on by doing it again.
 */
export class Keeper {
  readonly #store: () => Promise<Store>;
  readonly #options: KeeperOptions;
  readonly #tallies = new Map<string, SessionTally>();
  readonly #held = new Map<string, Message[]>();
  #heldMessages = 0;
  #heldBytes = 0;

  /** @param store opened when the first message is kept */
  constructor(store: () => Promise<Store>, options: KeeperOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** What became of each session so far. */
  get sessions(): readonly SessionTally[] {
    return [...this.#tallies.values()];
  }

  /** Takes a message, and writes what is held back where that is enough. */
  async add(message: Message): Promise<void> {
    const held = this.#held.get(message.sessionId) ?? [];
    this.#held.set(message.sessionId, held);
    held.push(message);
    this.#heldMessages += 1;
    this.#heldBytes += countMessageBytes(message);
    if (this.#heldMessages >= BATCH.messages || this.#heldBytes >= BATCH.bytes) await this.flush();
  }

  /** Writes what is held back, each session in a transaction of its own. */
  async flush(): Promise<void> {
    for (const [sessionId, messages] of this.#held) await this.#keep(sessionId, messages);
    this.#held.clear();
    this.#heldMessages = 0;
    this.#heldBytes = 0;
  }

  async #keep(sessionId: string, messages: readonly Message[]): Promise<void> {
    const known = this.#tallies.get(sessionId);
    const tally = known ?? { id: sessionId, added: 0, known: 0, different: [], isAnother: false };
    this.#tallies.set(sessionId, tally);
    const found = await this.#append(sessionId, messages, tally);
    for (const [i, one] of found.entries()) {
      if (one === "known") tally.known += 1;
      else if (one === "different") tally.different.push(messages[i]?.id ?? "");
      else tally.added += 1;
    }
  }

  /** Adds what is new, whoever else appends meanwhile. */
  async #append(sessionId: string, messages: readonly Message[], tally: SessionTally): Promise<readonly Found[]> {
    const store = await this.#store();
    const key = { owner: this.#options.owner, sessionId };
    const isFirst = tally.added + tally.known + tally.different.length === 0;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { appended } = await store.sessions.head(key);
      const found = await this.#find(store, key, messages);
      tally.isAnother ||= isFirst && found[0] === "different";
      if (tally.isAnother) return found.map((one) => (one === "known" ? one : "different"));
      const fresh = found.filter((one) => typeof one === "object");
      if (fresh.length === 0 || this.#options.dryRun) return found;
      if (await store.messages.append(key, appended, await this.#adopt(store, key, appended, fresh))) return found;
    }
    throw new StoreError("busy", `Others append to session ${sessionId} without a pause.`);
  }

  async #find(store: Store, key: SessionKey, messages: readonly Message[]): Promise<Found[]> {
    const ids = messages.map(({ id }) => id);
    const kept = new Map((await store.messages.get(key, ids)).map((message) => [message.id, message]));
    const isAsked = new Set(ids);
    const findKept = async (id: string) => (isAsked.has(id) ? kept.get(id) : (await store.messages.get(key, [id]))[0]);
    const found: Found[] = [];
    for (const message of messages) found.push(await findNew(message, findKept));
    return found;
  }

  async #adopt(store: Store, key: SessionKey, at: number, fresh: readonly Message[]): Promise<Message[]> {
    const { modelId } = this.#options;
    const parts = fresh.flatMap((message) => message.parts.map(({ id }) => id));
    const taken = await store.messages.taken(key, { messages: [], parts });
    const free = { messages: new Set<string>(), parts: new Set(taken.parts) };
    const counter = counterFor(modelId, 1);
    return assignIds(fresh, key.sessionId, at, free, Date.now()).map((one) => storeTokens(one, { modelId, counter }));
  }
}
