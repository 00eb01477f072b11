import type { Memory } from "../ports/memory.ts";
import type { MemoryFilter } from "../ports/memory-store.ts";

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
