import { CLOCK, checkOptions, FUNCTION, type OptionRules, withMethods } from "../../errors/check-options.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { Clock } from "../../ports/clock.ts";
import { SYSTEM_CLOCK } from "../../ports/clock.ts";
import { type Schedule, scheduleByTimer } from "../schedule.ts";
import type { Classify } from "./classify-fact.ts";
import type { FactBook } from "./fact-book.ts";
import type { FactBookMemory } from "./fact-changes.ts";
import { PersistentFactBook } from "./persistent-fact-book.ts";
import type { StoredText } from "./removals.ts";

/** Options of `createFactBook`. */
export interface FactBookOptions {
  /** Memory service of the user, such as `tl.memory`. */
  readonly memory: FactBookMemory;
  /** Source of the current time. Default: the system clock. */
  readonly clock?: Clock;
  /** Runs timers. Default: `setTimeout`. */
  readonly schedule?: Schedule;
  /** Synchronous storage for a pending clear, so that closing the tab does not lose it. */
  readonly tombstone: StoredText;
  /** Synchronous storage for unfinished deletions, undos, pins and category changes, for the same reason. */
  readonly unfinished?: StoredText;
  /** Classifies notes with a model. Default: rules, which also apply if the model takes too long. */
  readonly classify?: Classify;
}

const KEEP = withMethods("an object with read() and write()", "read", "write");

const BOOK_RULES: OptionRules<FactBookOptions> = {
  memory: withMethods("a memory service, such as tl.memory", "list", "remember", "update", "forget", "purge"),
  clock: CLOCK,
  schedule: FUNCTION,
  tombstone: KEEP,
  unfinished: KEEP,
  classify: FUNCTION,
};

/**
 * Opens the facts of one user for a panel. Starts to load immediately and continues a pending clear.
 *
 * @param options Memory, storage for pending changes, and an optional classifier.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const book = createFactBook({
 *   memory: tl.memory,
 *   tombstone: {
 *     read: () => localStorage.getItem("clearing") ?? undefined,
 *     write: (text) => (text === undefined ? localStorage.removeItem("clearing") : localStorage.setItem("clearing",
 * text)),
 *   },
 * });
 */
export function createFactBook(options: FactBookOptions): FactBook {
  checkOptions("createFactBook", options, BOOK_RULES);
  const defaults = { clock: SYSTEM_CLOCK, schedule: scheduleByTimer };
  return new PersistentFactBook({ ...defaults, ...omitUndefined(options) });
}
