import type { MemoryStore } from "../../ports/memory-store.ts";
import { SearchIndex } from "../recall/search-index.ts";
import { readEntries } from "./read-pages.ts";

/** Entries that are held in memory; beyond them the spaces that were not asked for longest are let go. */
const MAX_HELD = 2_000_000;

interface Held {
  readonly index: SearchIndex;
  readonly epoch: number;
  /** Everything up to this revision is in the index. */
  revision: number;
}

/** The search indexes of spaces, each read when it is first asked for and then only what is new. */
export class SearchSpaces {
  readonly #shelf: MemoryStore;
  readonly #embedder: string;
  /** The one that was asked for last stands last. */
  readonly #held = new Map<string, Held>();
  readonly #reading = new Map<string, Promise<SearchIndex>>();

  constructor(shelf: MemoryStore, embedder: string) {
    this.#shelf = shelf;
    this.#embedder = embedder;
  }

  /** The index of a space as it is now. */
  async open(space: string): Promise<SearchIndex> {
    // What is being read may have begun before the last write: it is waited for, and then looked at again.
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
    const head = await this.#shelf.head(space);
    const known = this.#held.get(space);
    const held = known?.epoch === head.epoch ? known : { index: new SearchIndex(), epoch: head.epoch, revision: 0 };
    if (held.revision < head.revision) await this.#readNew(space, held);
    held.revision = Math.max(held.revision, head.revision);
    this.#held.delete(space);
    this.#held.set(space, held);
    this.#letGo();
    return held.index;
  }

  async #readNew(space: string, { index, revision }: Held): Promise<void> {
    for await (const page of readEntries(this.#shelf, space, revision)) {
      for (const entry of page) index.put(entry, this.#embedder);
    }
  }

  #letGo(): void {
    let size = [...this.#held.values()].reduce((sum, { index }) => sum + index.size, 0);
    for (const [space, { index }] of this.#held) {
      if (size <= MAX_HELD || this.#held.size === 1) return;
      this.#held.delete(space);
      size -= index.size;
    }
  }
}
