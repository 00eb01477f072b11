import type { Memory } from "../../ports/memory.ts";

/** True if a memory is neither ended nor archived. */
export function isCurrent({ archivedAt, validTo }: Memory, now: number): boolean {
  return archivedAt === undefined && (validTo === undefined || validTo > now);
}

/**
 * True if a memory was current when the consolidation at `now` started, even if that archived it. Word statistics and
 * comparisons use these memories, so that a second run at the same time sees the same data and changes nothing.
 */
export function wasCurrent({ archivedAt, validTo }: Memory, now: number): boolean {
  return (archivedAt === undefined || archivedAt >= now) && (validTo === undefined || validTo > now);
}
