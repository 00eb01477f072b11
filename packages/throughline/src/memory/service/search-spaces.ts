import { Lru } from "../../internal/lru.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
import { SearchIndex } from "../recall/search-index.ts";
import { readEntries } from "./read-pages.ts";

/** Search entries held in memory, of all spaces together. */
const MAX_ENTRIES = 2_000_000;

interface Held {
  readonly index: SearchIndex;
  readonly epoch: number;
  /** The revision up to which the index is complete. */
  revision: number;
}

/** The search indexes of spaces. Each is read when it is first used; after that only new entries are read. */
export class SearchSpaces {
  readonly #memoryStore: MemoryStore;
  readonly #embedder: string;
  readonly #held = new Lru<string, Held>({ maxSize: MAX_ENTRIES, sizeOf: ({ index }) => index.size });
  readonly #reading = new Map<string, Promise<SearchIndex>>();

  constructor(memoryStore: MemoryStore, embedder: string) {
    this.#memoryStore = memoryStore;
    this.#embedder = embedder;
  }

  /** The current index of a space. */
  async open(space: string): Promise<SearchIndex> {
    // A read in progress may have begun before the last write, so another one follows it.
    const before = this.#reading.get(space);
    const reading = (before ?? Promise.resolve()).catch(() => undefined).then(() => this.#read(space));
    this.#reading.set(space, reading);
    try {
      return await reading;
    } finally {
      if (this.#reading.get(space) === reading) this.#reading.delete(space);
    }
  }

  async #read(space: string): Promise<SearchIndex> {
    const head = await this.#memoryStore.head(space);
    const known = this.#held.get(space);
    const held = known?.epoch === head.epoch ? known : { index: new SearchIndex(), epoch: head.epoch, revision: 0 };
    if (held.revision < head.revision) await this.#readNew(space, held);
    held.revision = Math.max(held.revision, head.revision);
    this.#held.set(space, held);
    return held.index;
  }

  async #readNew(space: string, { index, revision }: Held): Promise<void> {
    for await (const page of readEntries(this.#memoryStore, space, revision)) {
      for (const entry of page) index.put(entry, this.#embedder);
    }
  }
}
