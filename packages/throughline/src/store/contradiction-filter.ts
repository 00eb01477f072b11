import type { Contradiction } from "../ports/memory.ts";
import type { ContradictionFilter } from "../ports/memory-store.ts";

/** The contradictions that a filter selects, oldest first. */
export function selectContradictions(all: Iterable<Contradiction>, filter: ContradictionFilter): Contradiction[] {
  const { status, of } = filter;
  const touched = of && new Set(of);
  const selected = [...all].filter(
    ({ memoryA, memoryB, status: own }) =>
      (status === undefined || own === status) &&
      (touched === undefined || touched.has(memoryA) || touched.has(memoryB)),
  );
  return selected.sort((a, b) => a.detectedAt - b.detectedAt || (a.id < b.id ? -1 : 1));
}
