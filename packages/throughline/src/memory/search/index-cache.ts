import { Lru } from "../../internal/lru.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
import type { SearchIndex } from "./search-index.ts";

/** A search index of a space, and how much of the space it contains. */
export interface HeldIndex {
  readonly index: SearchIndex;
  readonly epoch: number;
  /** The revision up to which the index is complete. */
  revision: number;
  /** The revision up to which segments are stored, and the number of entries since then. */
  packedRevision: number;
  unpacked: number;
  /** Number of entries in the first segment, and since then. */
  baseSize: number;
  sinceBase: number;
}

/** Statistics of the search indexes in memory. */
export interface IndexCacheStats {
  readonly indexes: number;
  readonly bytes: number;
  readonly maxBytes: number;
  /** Uses of an index that was in memory, and that had to be read. */
  readonly hits: number;
  readonly misses: number;
  /** Number of evicted indexes. */
  readonly evictions: number;
}

/** Default of `maxIndexBytes`. */
const DEFAULT_MAX_INDEX_BYTES: number = 1024 ** 3;
/** Memory of an index besides its arrays: objects, maps of names and views. */
const OVERHEAD = 4_096;

/**
 * The search indexes of this process, of all stores and users. Those that were not used for longest are dropped first.
 */
class IndexCache {
  #maxBytes = DEFAULT_MAX_INDEX_BYTES;
  #held = this.#create();
  #hits = 0;
  #misses = 0;
  #evictions = 0;
  readonly #stores = new WeakMap<MemoryStore, number>();
  #storeCount = 0;
  /** Drops the indexes of stores that are no longer in use. */
  readonly #unused = new FinalizationRegistry<number>((store) => this.#drop(store));

  /** Sets the limit. The last call counts for all. */
  limit(maxBytes: number): void {
    if (maxBytes === this.#maxBytes) return;
    this.#maxBytes = maxBytes;
    const before = this.#held;
    this.#held = this.#create();
    for (const [key, held] of before.entries()) this.#held.set(key, held);
  }

  /** Key of the index of a space. */
  key(memoryStore: MemoryStore, embedder: string, space: string): string {
    let store = this.#stores.get(memoryStore);
    if (store === undefined) {
      store = this.#storeCount;
      this.#storeCount += 1;
      this.#stores.set(memoryStore, store);
      this.#unused.register(memoryStore, store);
    }
    return JSON.stringify([store, embedder, space]);
  }

  /** The index of a key. An index of an earlier epoch may contain erased memories, so it is dropped. */
  get(key: string, epoch: number): HeldIndex | undefined {
    const held = this.#held.get(key);
    if (held?.epoch === epoch) {
      this.#hits += 1;
      return held;
    }
    if (held !== undefined) this.#held.delete(key);
    this.#misses += 1;
    return undefined;
  }

  /** Keeps an index. Called again after it has grown. */
  set(key: string, held: HeldIndex): void {
    this.#held.set(key, held);
  }

  stats(): IndexCacheStats {
    const { length } = this.#held.values();
    const [hits, misses, evictions] = [this.#hits, this.#misses, this.#evictions];
    return { indexes: length, bytes: this.#held.size, maxBytes: this.#maxBytes, hits, misses, evictions };
  }

  #create(): Lru<string, HeldIndex> {
    return new Lru({
      maxSize: this.#maxBytes,
      sizeOf: ({ index }) => index.bytes + OVERHEAD,
      onEvict: () => {
        this.#evictions += 1;
      },
    });
  }

  #drop(store: number): void {
    for (const [key] of this.#held.entries()) if (key.startsWith(`[${store},`)) this.#held.delete(key);
  }
}

/** Statistics of {@link indexCache}. */
export function indexCacheStats(): IndexCacheStats {
  return indexCache.stats();
}

/** One cache per process, so that users share the index of a project and a limit holds for all of them. */
export const indexCache: IndexCache = new IndexCache();
