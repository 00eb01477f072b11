import type { Clock } from "../../ports/clock.ts";
import { type Schedule, scheduleByTimer } from "../schedule.ts";
import type { Classify } from "./classify-fact.ts";
import type { FactBook } from "./fact-book.ts";
import { KeptFactBook } from "./kept-fact-book.ts";
import type { TombstoneKeep } from "./tombstone.ts";
import type { FactBookMemory } from "./write-facts.ts";

export interface FactBookOptions {
  readonly memory: FactBookMemory;
  readonly clock?: Clock;
  readonly schedule?: Schedule;
  /** Where a clearing is written down at once, so that a closed tab does not lose it. */
  readonly tombstone: TombstoneKeep;
  /** Where a deletion, what undoes it, a pin and another category are written down until stored, for the same reason. */
  readonly unfinished?: TombstoneKeep;
  /** Says what a note is about; rules do, where there is none or it takes too long. */
  readonly classify?: Classify;
}

/**
 * Opens the facts of one person for a panel. It begins to read at once, and goes on with a clearing that it finds.
 *
 * @example
 * const book = createFactBook({
 *   memory: tl.memory,
 *   tombstone: {
 *     read: () => localStorage.getItem("clearing") ?? undefined,
 *     write: (text) => (text === undefined ? localStorage.removeItem("clearing") : localStorage.setItem("clearing", text)),
 *   },
 * });
 */
export function createFactBook(options: FactBookOptions): FactBook {
  return new KeptFactBook({ clock: { now: () => Date.now() }, schedule: scheduleByTimer, ...options });
}
