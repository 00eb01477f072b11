import type { Contradiction } from "../../ports/memory.ts";

/** Two memories, in whichever order. */
export function pairKey(a: string, b: string): string {
  return a < b ? `${a}\n${b}` : `${b}\n${a}`;
}

/** The pairs of which it is known that they are or were in conflict: they are neither merged nor opened a second time. */
export function knownPairs(contradictions: readonly Contradiction[]): ReadonlySet<string> {
  return new Set(contradictions.map(({ memoryA, memoryB }) => pairKey(memoryA, memoryB)));
}

/** The memories that somebody still has to decide about. */
export function contradictedIds(contradictions: readonly Contradiction[]): ReadonlySet<string> {
  const open = contradictions.filter(({ status }) => status === "open");
  return new Set(open.flatMap(({ memoryA, memoryB }) => [memoryA, memoryB]));
}
