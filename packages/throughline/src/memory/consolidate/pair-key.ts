import type { Contradiction } from "../../ports/memory.ts";

/** Key of a pair of memories, independent of their order. */
export function pairKey(a: string, b: string): string {
  return a < b ? `${a}\n${b}` : `${b}\n${a}`;
}

/** Keys of all pairs with an open or resolved contradiction. They are not merged, and not reported again. */
export function knownPairs(contradictions: readonly Contradiction[]): ReadonlySet<string> {
  return new Set(contradictions.map(({ memoryA, memoryB }) => pairKey(memoryA, memoryB)));
}

/** Ids of memories with an open contradiction. */
export function contradictedIds(contradictions: readonly Contradiction[]): ReadonlySet<string> {
  const open = contradictions.filter(({ status }) => status === "open");
  return new Set(open.flatMap(({ memoryA, memoryB }) => [memoryA, memoryB]));
}
