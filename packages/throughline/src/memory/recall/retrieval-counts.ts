import { messageOf } from "../../internal/text.ts";
import type { Logger } from "../../ports/logger.ts";
import type { MemoryStore, SpaceItems, SpaceLookup } from "../../ports/memory-store.ts";

/** Milliseconds in which retrievals are collected for one write per space, so that no answer waits for it. */
const PAUSE = 500;
/** Maximum number of memories whose last count is known. */
const MAX_COUNTED = 10_000;

/** Retrievals of one space that are not stored yet. */
interface Due {
  /** Ids of the memories, one for each retrieval. */
  readonly ids: string[];
  /** Time of the last one. */
  at: number;
}

/**
 * Counts retrievals of memories in the background. Reads of memories through `memoryStore` contain all earlier
 * retrievals of this process; `lookUp`, which answers recalls, does not wait for them.
 */
export class RetrievalCounts {
  /** The store, with up-to-date counts. */
  readonly memoryStore: MemoryStore;
  readonly #store: MemoryStore;
  readonly #logger: Logger;
  /** By space. */
  readonly #due = new Map<string, Due>();
  readonly #writing = new Map<string, Promise<void>>();
  /** Times of the last counts with an interval, by memory. */
  readonly #countedAt = new Map<string, number>();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Use {@link retrievalCounts}. */
  constructor(store: MemoryStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
    this.memoryStore = this.#withCounts();
  }

  /**
   * Schedules the count.
   *
   * @param minInterval Milliseconds in which a memory counts once. Default: each retrieval counts.
   */
  count(space: string, retrieved: readonly string[], at: number, minInterval = 0): void {
    const ids = minInterval === 0 ? retrieved : retrieved.filter((id) => this.#isDue(id, at, minInterval));
    if (ids.length === 0) return;
    const due = this.#due.get(space) ?? { ids: [], at };
    this.#due.set(space, due);
    due.ids.push(...ids);
    due.at = Math.max(due.at, at);
    this.#timer ??= setTimeout(() => void this.settle(), PAUSE);
  }

  #isDue(id: string, at: number, minInterval: number): boolean {
    if (at - (this.#countedAt.get(id) ?? Number.NEGATIVE_INFINITY) < minInterval) return false;
    if (this.#countedAt.size > MAX_COUNTED) this.#countedAt.clear();
    this.#countedAt.set(id, at);
    return true;
  }

  /** Writes all scheduled counts. */
  async settle(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const space of new Set([...this.#due.keys(), ...this.#writing.keys()])) await this.#settleSpace(space);
  }

  async #settleSpace(space: string): Promise<void> {
    const due = this.#due.get(space);
    this.#due.delete(space);
    const before = this.#writing.get(space);
    if (due === undefined) return before;
    const writing = (before ?? Promise.resolve()).then(() => this.#write(space, due));
    this.#writing.set(space, writing);
    await writing;
    if (this.#writing.get(space) === writing) this.#writing.delete(space);
  }

  /** Logs errors instead of throwing, so that a failed count does not fail a request. */
  async #write(space: string, { ids, at }: Due): Promise<void> {
    try {
      await this.#store.record(space, { uses: { ids, use: "retrieved", at } });
    } catch (error) {
      this.#logger.warn(`Could not count the retrieval of memories: ${messageOf(error)}`);
    }
  }

  #withCounts(): MemoryStore {
    const store = this.#store;
    return {
      head: (space) => store.head(space),
      get: async (space, collection, ids) => {
        if (collection === "memories") await this.#settleSpace(space);
        return store.get(space, collection, ids);
      },
      list: async (space, collection, filter) => {
        if (collection === "memories") await this.#settleSpace(space);
        return store.list(space, collection, filter);
      },
      lookUp: (lookups) => lookUp(store, lookups),
      commit: (space, commit) => store.commit(space, commit),
      record: (space, record) => store.record(space, record),
      erase: (space, erasure) => store.erase(space, erasure),
      lease: (...args) => store.lease(...args),
      spaces: (page) => store.spaces(page),
    };
  }
}

/** Reads from several spaces: at once, if the store can. */
export async function lookUp(store: MemoryStore, lookups: readonly SpaceLookup[]): Promise<readonly SpaceItems[]> {
  if (store.lookUp !== undefined) return store.lookUp(lookups);
  return Promise.all(
    lookups.map(async ({ space, head = false, memories = [], turns = [] }) => ({
      head: head ? await store.head(space) : undefined,
      memories: memories.length === 0 ? [] : await store.get(space, "memories", memories),
      turns: turns.length === 0 ? [] : await store.get(space, "turns", turns),
    })),
  );
}

const known = new WeakMap<MemoryStore, RetrievalCounts>();

/** The counts of a store: one object for all users of the store in this process. */
export function retrievalCounts(store: MemoryStore, logger: Logger): RetrievalCounts {
  const counts = known.get(store) ?? new RetrievalCounts(store, logger);
  known.set(store, counts);
  known.set(counts.memoryStore, counts);
  return counts;
}
