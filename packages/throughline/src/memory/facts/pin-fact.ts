import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import type { Memory } from "../../ports/memory.ts";
import { isCurrentFact, MAX_PINNED } from "./fact-rules.ts";

/** Whether another chat fact may be pinned. */
export function canPin(memories: readonly Memory[]): boolean {
  return memories.filter((memory) => memory.pinned && isCurrentFact(memory)).length < MAX_PINNED;
}

/**
 * Pins a memory. At most ten chat facts can be pinned.
 *
 * @throws InvalidOptionError if ten chat facts are already pinned.
 */
export function pinFact<T extends Memory>(fact: T, memories: readonly Memory[]): T {
  if (fact.pinned) return fact;
  if (isCurrentFact(fact) && !canPin(memories)) {
    throw new InvalidOptionError("pinned", MAX_PINNED + 1, `at most ${MAX_PINNED} facts; unpin one first`);
  }
  return { ...fact, pinned: true };
}
