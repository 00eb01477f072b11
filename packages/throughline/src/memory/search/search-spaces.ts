import { messageOf } from "../../internal/text.ts";
import type { Logger } from "../../ports/logger.ts";
import type { MemoryStore, SpaceHead, StoredSearchEntry } from "../../ports/memory-store.ts";
import type { BlobStore } from "../../ports/store.ts";
import type { MemoryContext } from "../memory-context.ts";
import { lookUp } from "../recall/retrieval-counts.ts";
import { readEntries } from "../space/spaces.ts";
import { type HeldIndex, indexCache } from "./index-cache.ts";
import { SearchIndex } from "./search-index.ts";
import { SearchSegments } from "./search-segments.ts";

/** Number of new entries after which they are stored in a segment. */
const SEGMENT_SIZE = 1_000;
/** The first segment is written anew when the entries since then are more than this share of it. */
const REWRITE_SHARE = 0.125;

const NEW: SpaceHead = { revision: 0, epoch: 0 };

/**
 * The search indexes of the spaces of a store. Each is read when it is first used; after that only new entries are
 * read.
 */
export class SearchSpaces {
  readonly #memoryStore: MemoryStore;
  /** Keeps segments. Without it, all entries are read. */
  readonly #blobs: BlobStore | undefined;
  readonly #embedder: string;
  readonly #logger: Logger;
  readonly #reading = new Map<string, Promise<SearchIndex>>();

  /** Use {@link searchSpaces}. */
  constructor({ memoryStore, blobs, embedder, logger }: MemoryContext) {
    this.#memoryStore = memoryStore;
    this.#blobs = blobs;
    this.#embedder = embedder.name;
    this.#logger = logger;
  }

  /** The current index of a space. */
  async open(space: string): Promise<SearchIndex> {
    const head = await this.#memoryStore.head(space);
    return this.#next(space, () => this.#read(space, head, false));
  }

  /** The current indexes of the spaces that one caller sees. */
  async openAll(spaces: readonly string[]): Promise<readonly SearchIndex[]> {
    const found = await lookUp(
      this.#memoryStore,
      spaces.map((space) => ({ space, head: true })),
    );
    return Promise.all(
      spaces.map((space, at) => this.#next(space, () => this.#read(space, found[at]?.head ?? NEW, false))),
    );
  }

  /** Stores the index of a space in one segment, if it has new entries. */
  async pack(space: string): Promise<void> {
    if (this.#blobs === undefined) return;
    const head = await this.#memoryStore.head(space);
    await this.#next(space, () => this.#read(space, head, true));
  }

  async #next(space: string, read: () => Promise<SearchIndex>): Promise<SearchIndex> {
    // A read in progress may have begun before the last write, so another one follows it.
    const before = this.#reading.get(space);
    const reading = (before ?? Promise.resolve()).catch(() => undefined).then(read);
    this.#reading.set(space, reading);
    try {
      return await reading;
    } finally {
      if (this.#reading.get(space) === reading) this.#reading.delete(space);
    }
  }

  async #read(space: string, head: SpaceHead, isPacked: boolean): Promise<SearchIndex> {
    const key = indexCache.key(this.#memoryStore, this.#embedder, space);
    const held = indexCache.get(key, head.epoch) ?? (await this.#load(space, head));
    if (held.revision < head.revision) await this.#readNew(space, held);
    held.revision = Math.max(held.revision, head.revision);
    if (held.unpacked >= (isPacked ? 1 : SEGMENT_SIZE)) await this.#write(space, held, isPacked);
    indexCache.set(key, held);
    return held.index;
  }

  async #load(space: string, { epoch, revision }: SpaceHead): Promise<HeldIndex> {
    const empty = { epoch, revision: 0, packedRevision: 0, unpacked: 0, baseSize: 0, sinceBase: 0 };
    if (this.#blobs !== undefined && revision > 0) {
      try {
        const loaded = await new SearchSegments(this.#blobs, space, this.#embedder).load(revision);
        if (loaded !== undefined) return { ...empty, ...loaded, packedRevision: loaded.revision };
      } catch (error) {
        this.#logger.warn(`Could not read the search segments of a space, reading its entries: ${messageOf(error)}`);
      }
    }
    return { ...empty, index: new SearchIndex() };
  }

  async #readNew(space: string, held: HeldIndex): Promise<void> {
    for await (const page of readEntries(this.#memoryStore, space, held.revision)) {
      await held.index.lock.change(() => {
        for (const entry of page) held.index.put(entry, this.#embedder);
      });
      held.unpacked += page.length;
      held.sinceBase += page.length;
    }
  }

  /** Stores new entries: in a page, or with all others in a new first segment. A failure is logged. */
  async #write(space: string, held: HeldIndex, isPacked: boolean): Promise<void> {
    if (this.#blobs === undefined) return;
    const segments = new SearchSegments(this.#blobs, space, this.#embedder);
    const { index, epoch, revision, packedRevision, baseSize, sinceBase } = held;
    const isBase = isPacked || packedRevision === 0 || sinceBase > REWRITE_SHARE * baseSize;
    // Also after a failure the next attempt waits for more entries.
    held.unpacked = 0;
    try {
      if (isBase) {
        if (!(await segments.writeBase(index, revision, epoch))) return;
        Object.assign(held, { baseSize: index.size, sinceBase: 0 });
      } else {
        const entries = await this.#entriesBetween(space, packedRevision, revision);
        if (!(await segments.writePage(entries, { from: packedRevision, to: revision }, epoch))) return;
      }
      held.packedRevision = revision;
    } catch (error) {
      this.#logger.warn(`Could not store search segments of a space: ${messageOf(error)}`);
    }
  }

  async #entriesBetween(space: string, from: number, to: number): Promise<readonly StoredSearchEntry[]> {
    const entries: StoredSearchEntry[] = [];
    for await (const page of readEntries(this.#memoryStore, space, from)) {
      entries.push(...page.filter(({ revision }) => revision <= to));
    }
    return entries;
  }
}

/** By store and embedder, so that all users of a store share the indexes. */
const known = new WeakMap<MemoryStore, Map<string, SearchSpaces>>();

/** The search indexes of the store of a context. */
export function searchSpaces(context: MemoryContext): SearchSpaces {
  const ofStore = known.get(context.memoryStore) ?? new Map<string, SearchSpaces>();
  const spaces = ofStore.get(context.embedder.name) ?? new SearchSpaces(context);
  ofStore.set(context.embedder.name, spaces);
  known.set(context.memoryStore, ofStore);
  return spaces;
}
