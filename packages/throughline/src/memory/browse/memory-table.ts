import { mergeSorted, sortYielding, yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { MemoryContext } from "../memory-context.ts";
import { readMemories } from "../space/read-pages.ts";
import { SpaceCache, type SpaceChanges } from "../space/space-cache.ts";
import { isVisible } from "../space/spaces.ts";
import { type MemoryRow, rowOf } from "./memory-row.ts";

interface SpaceRows {
  readonly byId: Map<string, MemoryRow>;
  /** Last mentioned first. */
  readonly sorted: readonly MemoryRow[];
}

/** Rows of all memories that the caller can see. */
export interface MemoryRows {
  /** Last mentioned first. */
  readonly rows: readonly MemoryRow[];
  /** Changes with every write to one of the spaces. */
  readonly revision: string;
  readonly get: (id: string) => MemoryRow | undefined;
}

/**
 * Rows of memories. They are read on first use and then updated from the journal, so that a page of a long list takes
 * little work.
 */
export class MemoryTable {
  readonly #context: MemoryContext;
  readonly #cache: SpaceCache<SpaceRows>;
  #opened: MemoryRows | undefined;

  constructor(context: MemoryContext) {
    this.#context = context;
    this.#cache = new SpaceCache(context.memoryStore, context, {
      read: (space) => this.#read(space),
      update: async (known, changes, space) => this.#update(known, changes, space),
    });
  }

  /** True after the rows were read once; then `open` is quick. */
  get isLoaded(): boolean {
    return this.#opened !== undefined;
  }

  async open(): Promise<MemoryRows> {
    const { spaces, revision } = await this.#cache.open();
    if (this.#opened?.revision === revision) return this.#opened;
    const rows = spaces.map(({ sorted }) => sorted).reduce((all, one) => mergeSorted(all, one, lastMentionedFirst), []);
    const get = (id: string) => spaces.find(({ byId }) => byId.has(id))?.byId.get(id);
    this.#opened = { rows, revision, get };
    return this.#opened;
  }

  async #read(space: string): Promise<SpaceRows> {
    const byId = new Map<string, MemoryRow>();
    for await (const page of readMemories(this.#context.memoryStore, space)) {
      for (const memory of page) if (isVisible(memory, this.#context)) byId.set(memory.id, rowOf(memory, space));
      await yieldToEventLoop();
    }
    return { byId, sorted: await sortYielding([...byId.values()], lastMentionedFirst) };
  }

  #update({ byId, sorted }: SpaceRows, { ids, memories }: SpaceChanges, space: string): SpaceRows {
    for (const id of ids) byId.delete(id);
    const changed = memories.filter((memory) => isVisible(memory, this.#context)).map((memory) => rowOf(memory, space));
    for (const row of changed) byId.set(row.id, row);
    const isChanged = new Set(ids);
    const others = sorted.filter(({ id }) => !isChanged.has(id));
    return { byId, sorted: mergeSorted(others, changed.sort(lastMentionedFirst), lastMentionedFirst) };
  }
}

export function lastMentionedFirst(
  a: Pick<MemoryRow, "id" | "lastSeenAt">,
  b: Pick<MemoryRow, "id" | "lastSeenAt">,
): number {
  return b.lastSeenAt - a.lastSeenAt || (a.id < b.id ? 1 : -1);
}
