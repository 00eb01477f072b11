import type { Contradiction, Memory } from "../../ports/memory.ts";
import { hasNoEnd } from "../facts/fact-rules.ts";
import type { MemoryContext } from "./memory-context.ts";
import { isVisible } from "./spaces.ts";

const NOTE = "The other side does not hold any more.";

/**
 * Open contradictions of which a side ends now: nobody has to decide them, for the other side is what is left. Those that
 * the visitor cannot see both sides of stay as they are.
 */
export async function settleEnded(
  context: MemoryContext,
  space: string,
  before: readonly Memory[],
  memories: readonly Memory[],
): Promise<readonly Contradiction[]> {
  const held = new Set(before.filter(hasNoEnd).map(({ id }) => id));
  const ended = new Set(memories.filter((memory) => held.has(memory.id) && !hasNoEnd(memory)).map(({ id }) => id));
  if (ended.size === 0) return [];
  const { shelf, clock } = context;
  const open = await shelf.contradictions(space, { status: "open", of: [...ended] });
  const sides = await shelf.memories(space, [...new Set(open.flatMap(({ memoryA, memoryB }) => [memoryA, memoryB]))]);
  const seen = new Set(sides.filter((memory) => isVisible(memory, context)).map(({ id }) => id));
  const settled = open.filter(({ memoryA, memoryB }) => seen.has(memoryA) && seen.has(memoryB));
  return settled.map((contradiction) => ({
    ...contradiction,
    status: "resolved",
    resolvedAt: clock.now(),
    resolution: ended.has(contradiction.memoryA) ? "b_wins" : "a_wins",
    note: NOTE,
  }));
}
