import type { Memory } from "../../ports/memory.ts";

/** Whether a memory holds and is not put away. */
export function isCurrent({ archivedAt, validTo }: Memory, now: number): boolean {
  return archivedAt === undefined && (validTo === undefined || validTo > now);
}

/**
 * Whether it did when the pass of this moment began. How rare a word is, and which memories are compared, is counted over
 * these: so planning a second time at the same moment sees the same, and finds nothing more to do.
 */
export function wasCurrent({ archivedAt, validTo }: Memory, now: number): boolean {
  return (archivedAt === undefined || archivedAt >= now) && (validTo === undefined || validTo > now);
}
