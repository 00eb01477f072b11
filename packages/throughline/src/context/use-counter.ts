import { HOUR } from "../internal/time.ts";
import { type RetrievalCounts, retrievalCounts } from "../memory/recall/retrieval-counts.ts";
import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { MemoryIndexEntry } from "./memory-index-entry.ts";

const MAX_KEPT = 10_000;

/** Counts retrievals of memories: each at most once an hour, because consecutive turns contain the same memories. */
export class UseCounter {
  readonly #counts: RetrievalCounts;
  readonly #clock: Clock;
  readonly #countedAt = new Map<string, number>();

  constructor(memoryStore: MemoryStore, clock: Clock, logger: Logger) {
    this.#counts = retrievalCounts(memoryStore, logger);
    this.#clock = clock;
  }

  /** Schedules the count. Returns without waiting for the write. */
  count(entries: readonly MemoryIndexEntry[]): void {
    const now = this.#clock.now();
    const due = entries.filter(({ id }) => now - (this.#countedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= HOUR);
    if (this.#countedAt.size > MAX_KEPT) this.#countedAt.clear();
    for (const { id, space } of due) {
      this.#countedAt.set(id, now);
      this.#counts.count(space, [id], now);
    }
  }

  /** Writes all pending counts. */
  settle(): Promise<void> {
    return this.#counts.settle();
  }
}
