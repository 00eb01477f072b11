import { randomUUID } from "node:crypto";
import type { DocumentStore } from "throughline/internal/sql";
import { isRecord, type JsonRecord, numberField, omitUndefined, stringField } from "throughline/internal/util";
import { sha256 } from "./digest-messages.ts";

/** The state of a session, as its client knows it. */
export interface SessionHead {
  readonly sessionId: string;
  /** Number of messages in the session. If it differs now, another writer appended to it. */
  readonly messages: number;
  /** True if the client sends exactly the messages of the session. */
  readonly isWhole: boolean;
  /** Digests of everything so far; two if a client may send the last answer in two ways. */
  readonly digests: readonly string[];
  /** The same for the parts that every client sends back; `undefined` if the client sends references. */
  readonly traceDigest?: string | undefined;
  /** The same for a client that cleared older tool results. */
  readonly outlineDigest?: string | undefined;
  /** Digest of the start of the last answer; `undefined` if it has no text. */
  readonly openingDigest?: string | undefined;
}

/** A response that a request can continue by its id. */
export interface KnownResponse extends SessionHead {
  /** The page that lists its session. */
  readonly page: string;
}

/** Conversations with the same start, or branches of one, per page; the least recently used is dropped first. */
const MAX_HEADS = 64;
/** Responses by id are spread over this many pages. */
const RESPONSE_PAGES = 256;
const MAX_RESPONSES = 64;
/** Attempts to write a document that other servers write to. */
const TRIES = 20;

/** In-process state of the documents. */
export interface SessionIndexCache {
  /** Serializes the writes of this process to one document. */
  readonly queues: Map<string, Promise<unknown>>;
  readonly seeds: Map<string, string>;
}

/** Maximum number of cached seeds, one per user. */
const MAX_SEEDS = 1_000;
const SEED = "proxy:seed";

/**
 * Maps conversations to sessions, for one user in one project. It stores only digests and ids, is updated in place, and
 * is bounded: a dropped conversation starts a new session when it comes back.
 */
export class SessionIndex {
  readonly #documents: DocumentStore;
  readonly #space: string;
  readonly #projectId: string | undefined;
  readonly #cache: SessionIndexCache;

  constructor(
    documents: DocumentStore,
    { space, projectId }: { readonly space: string; readonly projectId?: string | undefined },
    cache: SessionIndexCache = { queues: new Map(), seeds: new Map() },
  ) {
    this.#documents = documents;
    this.#space = space;
    this.#projectId = projectId;
    this.#cache = cache;
  }

  /**
   * A secret part of every digest, so that digests cannot be tested against guessed texts and never match across
   * projects.
   */
  async seed(): Promise<string> {
    return sha256(JSON.stringify([await this.#kept(), this.#projectId ?? null]));
  }

  async #kept(): Promise<string> {
    const { seeds } = this.#cache;
    const known = seeds.get(this.#space);
    if (known !== undefined) return known;
    if (seeds.size >= MAX_SEEDS) seeds.clear();
    const kept = await this.#documents.get(this.#space, SEED);
    if (kept !== undefined) {
      seeds.set(this.#space, String(kept.value));
      return String(kept.value);
    }
    await this.#documents.put(this.#space, SEED, { revision: 0, value: randomUUID() });
    return this.#kept();
  }

  async heads(page: string): Promise<readonly SessionHead[]> {
    return entriesOf(await this.#documents.get(this.#space, headsPage(page)), "heads").flatMap((one) => readHead(one));
  }

  /** Records the current state of a session, replacing its previous one. */
  async put(page: string, head: SessionHead): Promise<void> {
    await this.#change(headsPage(page), "heads", (entries) =>
      [head, ...entries.filter(({ sessionId }) => sessionId !== head.sessionId)].slice(0, MAX_HEADS),
    );
  }

  async response(id: string): Promise<KnownResponse | undefined> {
    const name = await this.#nameOf(id);
    const kept = entriesOf(await this.#documents.get(this.#space, responsePage(name)), "responses");
    const found = kept.find((one) => one.name === name);
    const page = found && stringField(found, "page");
    const [head] = found === undefined ? [] : readHead(found);
    return page === undefined || head === undefined ? undefined : { ...head, page };
  }

  async putResponse(id: string, response: KnownResponse): Promise<void> {
    const name = await this.#nameOf(id);
    await this.#change(responsePage(name), "responses", (entries) =>
      [{ name, ...response }, ...entries].slice(0, MAX_RESPONSES),
    );
  }

  async #nameOf(id: string): Promise<string> {
    return sha256(JSON.stringify([await this.seed(), id]));
  }

  #change(name: string, field: string, change: (entries: readonly JsonRecord[]) => readonly unknown[]): Promise<void> {
    const queue = JSON.stringify([this.#space, name]);
    const done = (this.#cache.queues.get(queue) ?? Promise.resolve()).then(() => this.#write(name, field, change));
    const finished = done
      .catch(() => undefined)
      .then(() => {
        if (this.#cache.queues.get(queue) === finished) this.#cache.queues.delete(queue);
      });
    this.#cache.queues.set(queue, finished);
    return done;
  }

  async #write(
    name: string,
    field: string,
    change: (entries: readonly JsonRecord[]) => readonly unknown[],
  ): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const kept = await this.#documents.get(this.#space, name);
      const value = { [field]: change(entriesOf(kept, field)) };
      if (await this.#documents.put(this.#space, name, { revision: kept?.revision ?? 0, value })) return;
    }
    // Too many concurrent writers: this conversation starts a new session next time.
  }
}

function headsPage(page: string): string {
  return `proxy:heads:${page}`;
}

function responsePage(name: string): string {
  return `proxy:responses:${Number.parseInt(name.slice(0, 8), 16) % RESPONSE_PAGES}`;
}

function entriesOf(document: { readonly value: unknown } | undefined, field: string): readonly JsonRecord[] {
  const value = isRecord(document?.value) ? document.value[field] : undefined;
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function readHead(entry: JsonRecord): SessionHead[] {
  const sessionId = stringField(entry, "sessionId");
  const messages = numberField(entry, "messages");
  const { digests } = entry;
  if (sessionId === undefined || messages === undefined || !Array.isArray(digests)) return [];
  const known = { sessionId, messages, isWhole: entry.isWhole === true, digests: digests.map(String) };
  const traced = {
    traceDigest: stringField(entry, "traceDigest"),
    outlineDigest: stringField(entry, "outlineDigest"),
    openingDigest: stringField(entry, "openingDigest"),
  };
  return [omitUndefined({ ...known, ...traced })];
}
