import { omitUndefined } from "../../internal/json.ts";
import { mapYielding } from "../../internal/yield-to-event-loop.ts";
import { isCurrent, type Memory } from "../../ports/memory.ts";
import { isCurrentFact, MAX_CHAT_FACTS, MAX_PINNED, planEviction } from "../facts/fact-rules.ts";
import { isSingleValued } from "../facts/slots.ts";
import { indexMemory } from "./index-memory.ts";
import type { PlanContext } from "./staged-space.ts";

/**
 * Enforces the limits of chat facts on every write: ended and archived facts are unpinned, at most 10 facts are pinned,
 * and above 150 facts outside of projects those with the lowest value are archived. The written facts themselves stay,
 * unless they alone exceed the cap. Limits count per owner and project, so a fact is never evicted for one that its
 * owner cannot see.
 */
export async function enforceLimits(context: PlanContext, changed: readonly Memory[]): Promise<readonly Memory[]> {
  const checked = changed.map((memory) => (memory.pinned && !isCurrent(memory) ? unpinned(memory) : memory));
  const all = new Map(checked.map((memory) => [memory.id, memory]));
  for (const group of Map.groupBy(checked.filter(isCurrentFact), groupOf).values()) {
    const [first] = group;
    const known = first === undefined ? [] : await chatFactsBeside(context, first);
    for (const memory of limit(
      group,
      known.filter(({ id }) => !all.has(id)),
      context.clock.now(),
    ))
      all.set(memory.id, memory);
  }
  return [...all.values()];
}

/** The chat facts that share limits with a memory: those of the same owner in the same project. */
export async function chatFactsBeside(
  { memoryStore }: Pick<PlanContext, "memoryStore">,
  memory: Memory,
): Promise<readonly Memory[]> {
  const facts = await memoryStore.list("memories", { current: true, categorized: true });
  return facts.filter((fact) => isCurrentFact(fact) && groupOf(fact) === groupOf(memory));
}

/** The written facts within the limits, and the facts that are archived for them. */
function limit(written: readonly Memory[], known: readonly Memory[], now: number): readonly Memory[] {
  const memories = limitPins(written, MAX_PINNED - known.filter(({ pinned }) => pinned).length);
  if (known.length + memories.length <= MAX_CHAT_FACTS) return memories;
  const isTooMuch = memories.length > MAX_CHAT_FACTS - MAX_PINNED;
  const spared = new Set(isTooMuch ? [] : memories.map(({ id }) => id));
  const { evicted } = planEviction([...known, ...memories], now, spared);
  return [...memories, ...evicted.map((fact) => ({ ...fact, archivedAt: now, pinned: false }))];
}

/** Unpins the facts above the limit of pins. Those mentioned last stay pinned. */
function limitPins(memories: readonly Memory[], room: number): readonly Memory[] {
  const pinned = memories.filter((memory) => memory.pinned).sort((a, b) => b.lastSeenAt - a.lastSeenAt);
  const excess = new Set(pinned.slice(Math.max(0, room)));
  return memories.map((memory) => (excess.has(memory) ? unpinned(memory) : memory));
}

function groupOf({ owner, projectId = "" }: Memory): string {
  return `${projectId}\n${owner}`;
}

function unpinned(memory: Memory): Memory {
  return { ...memory, pinned: false };
}

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
