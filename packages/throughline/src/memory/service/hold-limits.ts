import type { Memory } from "../../ports/memory.ts";
import { evictFactsIfNeeded } from "../facts/evict-facts.ts";
import { HARD_CAP, hasNoEnd, isCurrentFact, MAX_PINNED } from "../facts/fact-rules.ts";
import type { MemoryContext } from "./memory-context.ts";

/**
 * Holds the limits of the chat's facts, whatever is written: what has ended or was put away has no pin, there are ten
 * pins at the most, and beyond 150 the least worth are put away. What is written stays, unless it alone is too much.
 * Everybody has limits of their own in each project, so that nothing makes room for what its owner does not see.
 */
export async function holdLimits(
  context: MemoryContext,
  space: string,
  changed: readonly Memory[],
): Promise<readonly Memory[]> {
  const settled = changed.map((memory) => (memory.pinned && !hasNoEnd(memory) ? unpinned(memory) : memory));
  const all = new Map(settled.map((memory) => [memory.id, memory]));
  for (const group of Map.groupBy(settled.filter(isCurrentFact), groupOf).values()) {
    const [first] = group;
    const known = first === undefined ? [] : await chatFactsBeside(context, space, first);
    for (const memory of limit(
      group,
      known.filter(({ id }) => !all.has(id)),
      context.clock.now(),
    ))
      all.set(memory.id, memory);
  }
  return [...all.values()];
}

/** The facts of the chat that count together with a memory: those of the same person in the same project. */
export async function chatFactsBeside(
  { shelf }: MemoryContext,
  space: string,
  memory: Memory,
): Promise<readonly Memory[]> {
  const facts = await shelf.list(space, { current: true, categorised: true });
  return facts.filter((fact) => isCurrentFact(fact) && groupOf(fact) === groupOf(memory));
}

/** What is written, within the limits, and what has to make room for it. */
function limit(written: readonly Memory[], known: readonly Memory[], now: number): readonly Memory[] {
  const memories = holdPins(written, MAX_PINNED - known.filter(({ pinned }) => pinned).length);
  if (known.length + memories.length <= HARD_CAP) return memories;
  const isTooMuch = memories.length > HARD_CAP - MAX_PINNED;
  const spared = new Set(isTooMuch ? [] : memories.map(({ id }) => id));
  const { evicted } = evictFactsIfNeeded([...known, ...memories], now, spared);
  return [...memories, ...evicted.map((fact) => ({ ...fact, archivedAt: now, pinned: false }))];
}

/** As many keep their pin as there is room for, those that were seen last. */
function holdPins(memories: readonly Memory[], room: number): readonly Memory[] {
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
