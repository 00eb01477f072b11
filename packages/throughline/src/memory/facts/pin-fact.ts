import { InvalidOptionError } from "../../errors/input-errors.ts";
import type { Memory } from "../../ports/memory.ts";
import { isCurrentFact, MAX_PINNED } from "./fact-rules.ts";

/**
 * Checks whether another chat fact can be pinned. The limit is ten.
 *
 * @param memories Memories of the user. Only current facts with a category count.
 *
 * @example
 * if (!canPin(await tl.memory.list())) console.log("Unpin a memory first.");
 */
export function canPin(memories: readonly Memory[]): boolean {
  return memories.filter((memory) => memory.pinned && isCurrentFact(memory)).length < MAX_PINNED;
}

/**
 * Returns a pinned copy of a memory. Nothing is stored; `tl.memory.update(id, { pinned: true })` also stores it.
 *
 * @param fact The memory to pin. The limit of ten applies only to current facts with a category.
 * @param memories Memories of the user, whose pins count towards the limit.
 * @throws InvalidOptionError if ten chat facts are already pinned.
 *
 * @example
 * pinFact(fact, await tl.memory.list()).pinned; // true
 */
export function pinFact<T extends Memory>(fact: T, memories: readonly Memory[]): T {
  if (fact.pinned) return fact;
  if (isCurrentFact(fact) && !canPin(memories)) {
    throw new InvalidOptionError("pinned", MAX_PINNED + 1, `at most ${MAX_PINNED} facts; unpin one first`);
  }
  return { ...fact, pinned: true };
}
