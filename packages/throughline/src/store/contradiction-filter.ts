import type { Contradiction } from "../ports/memory.ts";
import type { MemoryStore } from "../ports/memory-store.ts";

export type ContradictionFilter = NonNullable<Parameters<MemoryStore["contradictions"]>[1]>;

/** Those that are asked for, in the order in which they were found. */
export function chooseContradictions(all: Iterable<Contradiction>, filter: ContradictionFilter): Contradiction[] {
  const { status, ids, of } = filter;
  const [wanted, touched] = [ids && new Set(ids), of && new Set(of)];
  const chosen = [...all].filter(
    ({ id, memoryA, memoryB, status: own }) =>
      (status === undefined || own === status) &&
      (wanted?.has(id) ?? true) &&
      (touched === undefined || touched.has(memoryA) || touched.has(memoryB)),
  );
  return chosen.sort((a, b) => a.detectedAt - b.detectedAt || (a.id < b.id ? -1 : 1));
}
