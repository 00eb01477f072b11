import type { Contradiction, Memory } from "../ports/memory.ts";
import type { ContradictionFilter, JournalEntry, MemoryFilter } from "../ports/memory-store.ts";

/** True if a memory is valid and not archived. */
export function isCurrent({ validTo, archivedAt }: Memory): boolean {
  return validTo === undefined && archivedAt === undefined;
}

/** True if a memory meets the conditions of a filter, except `matchAny` and `limit`. */
export function isSelected(memory: Memory, filter: MemoryFilter): boolean {
  const { current = false, categorized = false, sessionId, after } = filter;
  return (
    (!current || isCurrent(memory)) &&
    (!categorized || memory.category !== undefined) &&
    (sessionId === undefined || memory.source.sessionId === sessionId) &&
    (after === undefined || memory.id > after)
  );
}

/** Compares memories in the order of a filter. */
export function memoryOrder({ lastSeenFirst = false }: MemoryFilter): (a: Memory, b: Memory) => number {
  const byId = (a: Memory, b: Memory) => (a.id < b.id ? -1 : 1);
  return lastSeenFirst ? (a, b) => b.lastSeenAt - a.lastSeenAt || byId(b, a) : byId;
}

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

/** True if a journal entry changed the item with this id. */
export function hasChange({ changes }: JournalEntry, id: string): boolean {
  return changes.some((change) => change.id === id);
}
