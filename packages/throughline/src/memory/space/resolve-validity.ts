import { omitUndefined } from "../../internal/json.ts";
import { mapYielding } from "../../internal/yield-to-event-loop.ts";
import type { Memory } from "../../ports/memory.ts";
import { isSingleValued } from "../facts/slot-keys.ts";
import { indexMemory } from "./index-memory.ts";
import type { PlanContext } from "./staged-space.ts";

/**
 * Makes the validity intervals of single-valued keys non-overlapping. Returns the changed memories and those that end
 * for them.
 */
export async function resolveValidity(
  { memoryStore }: PlanContext,
  changed: readonly Memory[],
): Promise<readonly Memory[]> {
  const all = new Map(changed.map((memory) => [memory.id, memory]));
  const slots = await mapYielding(changed, (memory) => ({ memory, slot: singleValuedSlot(memory) }));
  for (const [slot, group] of Map.groupBy(slots, (one) => one.slot)) {
    if (slot === undefined) continue;
    const kept = (await memoryStore.list("memories", { matchAny: { slots: [slot] } })).filter(({ id }) => !all.has(id));
    const said = [...kept, ...group.map(({ memory }) => memory)];
    for (const people of Map.groupBy(said, ({ owner, projectId = "" }) => `${owner}\n${projectId}`).values()) {
      const before = new Set(people);
      for (const memory of separateIntervals(people)) {
        if (all.has(memory.id) || !before.has(memory)) all.set(memory.id, memory);
      }
    }
  }
  return [...all.values()];
}

function singleValuedSlot(memory: Memory): string | undefined {
  const { slot } = indexMemory(memory);
  const key = slot?.slice(slot.lastIndexOf("|") + 1);
  return key !== undefined && isSingleValued(key) ? slot : undefined;
}

/**
 * Ends each memory of a slot when the next one begins. Archived memories are left out. Of two that begin at the same
 * time, the one without an end wins, then the one that was created later.
 */
function separateIntervals(memories: readonly Memory[]): readonly Memory[] {
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
