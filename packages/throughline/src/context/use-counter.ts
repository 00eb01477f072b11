import type { Clock } from "../ports/clock.ts";
import type { Logger } from "../ports/logger.ts";
import type { MemoryStore } from "../ports/memory-store.ts";
import type { MemoryIndexEntry } from "./memory-index-entry.ts";

const HOUR = 3_600_000;
const MAX_KEPT = 10_000;
/** Milliseconds in which uses are collected for one write, so that no response waits for it. */
const PAUSE = 100;

/** Counts retrievals of memories: each at most once an hour, because consecutive turns contain the same memories. */
export class UseCounter {
  readonly #memoryStore: MemoryStore;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #countedAt = new Map<string, number>();
  #due: MemoryIndexEntry[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #counting: Promise<void> = Promise.resolve();

  constructor(memoryStore: MemoryStore, clock: Clock, logger: Logger) {
    this.#memoryStore = memoryStore;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Schedules the count. Returns without waiting for the write. */
  count(entries: readonly MemoryIndexEntry[]): void {
    const now = this.#clock.now();
    const due = entries.filter(({ id }) => now - (this.#countedAt.get(id) ?? Number.NEGATIVE_INFINITY) >= HOUR);
    if (due.length === 0) return;
    if (this.#countedAt.size > MAX_KEPT) this.#countedAt.clear();
    for (const { id } of due) this.#countedAt.set(id, now);
    this.#due.push(...due);
    this.#timer ??= setTimeout(() => this.settle(), PAUSE);
  }

  /** Writes all pending counts. */
  settle(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const due = this.#due.splice(0);
    this.#counting = this.#counting.then(() => this.#write(due, this.#clock.now()));
    return this.#counting;
  }

  /** Logs errors instead of throwing, so that a failed count does not fail a request. */
  async #write(due: readonly MemoryIndexEntry[], now: number): Promise<void> {
    for (const [space, some] of Map.groupBy(due, (entry) => entry.space)) {
      const ids = some.map(({ id }) => id);
      try {
        await this.#memoryStore.record(space, { uses: { ids, use: "retrieved", at: now } });
      } catch (error) {
        this.#logger.warn(`What was given out could not be counted: ${error instanceof Error ? error.message : error}`);
      }
    }
  }
}
