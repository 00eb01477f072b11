import { Lru } from "../internal/lru.ts";
import type { Memory } from "../ports/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { MemoryIndexEntry } from "./memory-index-entry.ts";
import { type MemoryTexts, textsOfMemory } from "./tiers/text-variants.ts";

const MAX_MEMORIES = 5_000;

interface Rendered {
  readonly entry: MemoryIndexEntry;
  readonly memoryTexts: MemoryTexts;
}

/** Caches the texts of memories at each length. A memory that changes gets a new index entry and is rendered again. */
export class RenderedMemoryCache {
  readonly #memoryStore: MemoryStore;
  readonly #rendered = new Lru<string, Rendered>({ maxSize: MAX_MEMORIES });

  constructor(memoryStore: MemoryStore) {
    this.#memoryStore = memoryStore;
  }

  /** Texts by memory id, without memories that have ended or are archived. */
  async read(entries: Iterable<MemoryIndexEntry>): Promise<ReadonlyMap<string, MemoryTexts>> {
    const wanted = [...new Set(entries)];
    // Read before loading, because loaded memories may evict cached ones.
    const known = new Map(wanted.flatMap((entry) => this.#find(entry)));
    const loaded = await this.#load(wanted.filter((entry) => !known.has(entry)));
    const texts = new Map<string, MemoryTexts>();
    for (const entry of wanted) {
      const memory = loaded.get(entry.id);
      const memoryTexts = memory === undefined ? known.get(entry) : textsOfMemory(memory);
      if (memoryTexts === undefined) continue;
      texts.set(entry.id, memoryTexts);
      this.#rendered.set(entry.id, { entry, memoryTexts });
    }
    return texts;
  }

  #find(entry: MemoryIndexEntry): [MemoryIndexEntry, MemoryTexts][] {
    const rendered = this.#rendered.get(entry.id);
    return rendered?.entry === entry ? [[entry, rendered.memoryTexts]] : [];
  }

  async #load(entries: readonly MemoryIndexEntry[]): Promise<ReadonlyMap<string, Memory>> {
    const loaded = await Promise.all(
      [...Map.groupBy(entries, ({ space }) => space)].map(([space, some]) =>
        this.#memoryStore.get(
          space,
          "memories",
          some.map(({ id }) => id),
        ),
      ),
    );
    const current = loaded
      .flat()
      .filter(({ validTo, archivedAt }) => validTo === undefined && archivedAt === undefined);
    return new Map(current.map((memory) => [memory.id, memory]));
  }
}
