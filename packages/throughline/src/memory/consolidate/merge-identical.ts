import type { Memory } from "../../ports/memory.ts";
import { mergeInto } from "./absorb-fact.ts";
import { comparisonKey } from "./comparison-key.ts";
import { isMergeable, type MergeOptions } from "./merge-duplicates.ts";

/**
 * Merges patterns and workflows with identical texts. Episodes are not merged, because the same thing can happen twice.
 */
export function mergeIdentical(
  memories: ReadonlyMap<string, Memory>,
  { now, isFixed, areApart }: MergeOptions,
): ReadonlyMap<string, Memory> {
  const changed = new Map<string, Memory>();
  const first = new Map<string, Memory>();
  for (const memory of memories.values()) {
    const { id, kind, levels } = memory;
    if ((kind !== "pattern" && kind !== "workflow") || !isMergeable(memory, now) || isFixed(id)) continue;
    const key = JSON.stringify([comparisonKey(memory), kind, levels.full.replace(/\s+/g, " ").trim()]);
    const twin = first.get(key);
    if (twin === undefined) first.set(key, memory);
    else if (!areApart(twin.id, id)) mergeInto(changed, twin, memory, now);
  }
  return changed;
}
