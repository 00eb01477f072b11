import type { Message, Part, Store } from "throughline";
import { assignIds } from "throughline/internal/engine";
import { lostAttempts, redactParts } from "throughline/internal/util";
import type { SessionKey } from "throughline/store";
import { counterFor, countMessageBytes, storeTokens } from "throughline/tokens";

/** Maximum size of a batch. */
const BATCH = { messages: 500, bytes: 4 * 1024 * 1024 };
/** Attempts to write a batch if other processes append to the same session. */
const TRIES = 200;

/** Counts for the messages of one session. */
export interface SessionCounts {
  readonly id: string;
  added: number;
  /** Number of messages that were already stored. */
  known: number;
  /** Ids whose stored content differs; it is kept. */
  readonly different: string[];
  /** True if the first message differs: it is another session with the same id, and nothing is added. */
  isAnother: boolean;
}

export interface ImportWriterOptions {
  readonly userId: string;
  readonly modelId: string;
  /** Reports what would be added, without adding it. */
  readonly dryRun?: boolean;
}

/**
 * Appends messages of many sessions to a store, each only once. The store always has a prefix of each session, so an
 * interrupted import continues when it is repeated.
 */
export class ImportWriter {
  readonly #store: () => Promise<Store>;
  readonly #options: ImportWriterOptions;
  readonly #tallies = new Map<string, SessionCounts>();
  readonly #held = new Map<string, Message[]>();
  #heldMessages = 0;
  #heldBytes = 0;

  /** @param store opened for the first message */
  constructor(store: () => Promise<Store>, options: ImportWriterOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Counts per session so far. */
  get sessions(): readonly SessionCounts[] {
    return [...this.#tallies.values()];
  }

  /** Queues a message, and writes the batch if it is full. */
  async add(message: Message): Promise<void> {
    const held = this.#held.get(message.sessionId) ?? [];
    this.#held.set(message.sessionId, held);
    held.push(message);
    this.#heldMessages += 1;
    this.#heldBytes += countMessageBytes(message);
    if (this.#heldMessages >= BATCH.messages || this.#heldBytes >= BATCH.bytes) await this.flush();
  }

  /** Writes the queued messages, one transaction per session. */
  async flush(): Promise<void> {
    for (const [sessionId, messages] of this.#held) await this.#keep(sessionId, messages);
    this.#held.clear();
    this.#heldMessages = 0;
    this.#heldBytes = 0;
  }

  async #keep(sessionId: string, messages: readonly Message[]): Promise<void> {
    const known = this.#tallies.get(sessionId);
    const counts = known ?? { id: sessionId, added: 0, known: 0, different: [], isAnother: false };
    this.#tallies.set(sessionId, counts);
    const found = await this.#append(sessionId, messages, counts);
    for (const [i, one] of found.entries()) {
      if (one === "known") counts.known += 1;
      else if (one === "different") counts.different.push(messages[i]?.id ?? "");
      else counts.added += 1;
    }
  }

  /** Appends new messages, also with concurrent writers. */
  async #append(sessionId: string, messages: readonly Message[], counts: SessionCounts): Promise<readonly Found[]> {
    const store = await this.#store();
    const key = { userId: this.#options.userId, sessionId };
    const isFirst = counts.added + counts.known + counts.different.length === 0;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const { appended } = await store.sessions.head(key);
      const found = await this.#find(store, key, messages);
      counts.isAnother ||= isFirst && found[0] === "different";
      if (counts.isAnother) return found.map((one) => (one === "known" ? one : "different"));
      const fresh = found.filter((one) => typeof one === "object");
      if (fresh.length === 0 || this.#options.dryRun) return found;
      if (await store.messages.append(key, appended, await this.#adopt(store, key, appended, fresh))) return found;
    }
    throw lostAttempts(`append to session ${sessionId}`, TRIES);
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

/** The new content of a message; `known` if it is stored already, `different` if its id has other content. */
type Found = Message | "known" | "different";

/**
 * Finds the new part of a message. A transcript that is still being written may end in the middle of a message; the
 * rest is stored as a separate message, whose id has the part number.
 *
 * @param findKept looks up the stored message with an id
 */
async function findNew(message: Message, findKept: (id: string) => Promise<Message | undefined>): Promise<Found> {
  let { id } = message;
  for (let from = 0; ; ) {
    const kept = await findKept(id);
    const rest = message.parts.slice(from);
    if (kept === undefined) return { ...message, id, parts: rest };
    // Messages that an earlier version stored may still contain secrets.
    const isSame = beginAlike(kept.parts, rest) || beginAlike(redactParts(kept.parts), rest);
    if (kept.role !== message.role || !isSame) return "different";
    from += kept.parts.length;
    if (from >= message.parts.length) return "known";
    const next = `${message.id}+${from}`;
    if (next === id) return "different";
    id = next;
  }
}

function beginAlike(a: readonly Part[], b: readonly Part[]): boolean {
  const shared = Math.min(a.length, b.length);
  return a.slice(0, shared).every((part, i) => contentOf(part) === contentOf(b[i]));
}

/** JSON without fields that are added when a part is stored. */
function contentOf(part: Part | undefined): string {
  if (part === undefined) return "";
  const { id: _id, tokens: _tokens, countedBy: _countedBy, type, ...content } = part;
  return JSON.stringify([type, content]);
}
