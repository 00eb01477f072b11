import { randomUUID } from "node:crypto";
import {
  type DocumentStore,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  stringField,
} from "throughline/internal";
import { sha256 } from "./digest-messages.ts";

/** Where a session stands, as its client knows it. */
export interface SessionHead {
  readonly sessionId: string;
  /** How many messages the session has. Where it has others by now, somebody else wrote to it. */
  readonly messages: number;
  /** The client sends all that the session holds, and nothing else. */
  readonly isWhole: boolean;
  /** Of everything up to here; two, where a client may send the last answer in two ways. */
  readonly digests: readonly string[];
  /** Of the same, reduced to what every client sends back; `undefined` if the client sends references to it. */
  readonly traceDigest?: string | undefined;
  /** Of the same, for a client that cleared older tool results. */
  readonly outlineDigest?: string | undefined;
  /** Of how its last answer begins; `undefined` if that has no text. */
  readonly openingDigest?: string | undefined;
}

/** An answer that a request may go on from by its id. */
export interface KnownResponse extends SessionHead {
  /** The page that its session is on. */
  readonly page: string;
}

/** Conversations that begin alike, or branches of one; the one that was not heard of longest goes first. */
const MAX_HEADS = 64;
/** Answers known by their ids are spread over so many pages, and each keeps so many. */
const RESPONSE_PAGES = 256;
const MAX_RESPONSES = 64;
/** How often something is tried again that another server came before. */
const TRIES = 20;

/** What is known of documents in this process. */
export interface BookCache {
  /** What is written to one document from here is written one after the other. */
  readonly queues: Map<string, Promise<unknown>>;
  readonly seeds: Map<string, string>;
}

/** Users whose seed is at hand. */
const MAX_SEEDS = 1_000;
const SEED = "proxy:seed";

/**
 * Which conversation is which session, for one user in one project. It holds digests and ids, no words. All of it is written over in
 * place and bounded: what is dropped begins a new session when it comes back.
 */
export class SessionBook {
  readonly #documents: DocumentStore;
  readonly #space: string;
  readonly #projectId: string | undefined;
  readonly #cache: BookCache;

  constructor(
    documents: DocumentStore,
    { space, projectId }: { readonly space: string; readonly projectId?: string | undefined },
    cache: BookCache = { queues: new Map(), seeds: new Map() },
  ) {
    this.#documents = documents;
    this.#space = space;
    this.#projectId = projectId;
    this.#cache = cache;
  }

  /**
   * Goes into every digest: who finds one cannot try out what was said, and what was said in one project is not found
   * from another.
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

  /** Notes where a session stands now; what was noted of it before does not hold any more. */
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
    const settled = done
      .catch(() => undefined)
      .then(() => {
        if (this.#cache.queues.get(queue) === settled) this.#cache.queues.delete(queue);
      });
    this.#cache.queues.set(queue, settled);
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
    // Others write to it without a pause: then this conversation begins a new session next time.
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
