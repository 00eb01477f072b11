import type { MemoryFact } from "../memory-fact.ts";
import type { MemoryIndex } from "./fact-book.ts";

/**
 * Facts by category, in the order in which they were given.
 *
 * @example
 * buildIndex(facts).preference.length; // 4
 */
export function buildIndex(facts: readonly MemoryFact[]): MemoryIndex {
  const { project = [], preference = [], identity = [] } = Object.groupBy(facts, ({ category }) => category);
  return { project, preference, identity };
}
