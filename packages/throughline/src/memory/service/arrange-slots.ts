import { omitUndefined } from "../../internal/json.ts";
import type { Memory } from "../../ports/memory.ts";

/**
 * Puts what was said of one thing in order, so that no two of them hold at the same time: each ends where the next one
 * begins. What was put away does not count. Of two that begin at once, the one holds that has not ended, and else the one
 * that was written down later.
 */
export function arrangeSlot(memories: readonly Memory[]): readonly Memory[] {
  const inOrder = memories
    .filter(({ archivedAt }) => archivedAt === undefined)
    .sort(
      (a, b) => a.validFrom - b.validFrom || compareEnds(a, b) || a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1),
    );
  return inOrder.map((memory, at) => {
    const next = inOrder[at + 1];
    if (next === undefined) return memory;
    const end = Math.max(memory.validFrom, Math.min(memory.validTo ?? next.validFrom, next.validFrom));
    if (end === memory.validTo) return memory;
    return omitUndefined({ ...memory, validTo: end, supersededBy: memory.supersededBy ?? next.id, pinned: false });
  });
}

function compareEnds({ validTo: a = Number.MAX_VALUE }: Memory, { validTo: b = Number.MAX_VALUE }: Memory): number {
  return a - b;
}
