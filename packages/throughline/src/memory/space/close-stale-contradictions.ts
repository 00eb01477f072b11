import type { Contradiction, Memory } from "../../ports/memory.ts";
import { hasNoEnd } from "../facts/fact-rules.ts";
import { isVisible } from "./spaces.ts";
import type { PlanContext } from "./staged-space.ts";

const NOTE = "The other side does not hold any more.";

/**
 * Resolves open contradictions of which one side ends with this write: the other side wins. Contradictions with a side that
 * the caller cannot see stay open.
 */
export async function closeStaleContradictions(
  context: PlanContext,
  space: string,
  before: readonly Memory[],
  memories: readonly Memory[],
): Promise<readonly Contradiction[]> {
  const held = new Set(before.filter(hasNoEnd).map(({ id }) => id));
  const ended = new Set(memories.filter((memory) => held.has(memory.id) && !hasNoEnd(memory)).map(({ id }) => id));
  if (ended.size === 0) return [];
  const { memoryStore, clock } = context;
  const open = await memoryStore.list(space, "contradictions", { status: "open", of: [...ended] });
  const sides = await memoryStore.get(space, "memories", [
    ...new Set(open.flatMap(({ memoryA, memoryB }) => [memoryA, memoryB])),
  ]);
  const seen = new Set(sides.filter((memory) => isVisible(memory, context)).map(({ id }) => id));
  const stale = open.filter(({ memoryA, memoryB }) => seen.has(memoryA) && seen.has(memoryB));
  return stale.map((contradiction) => ({
    ...contradiction,
    status: "resolved",
    resolvedAt: clock.now(),
    resolution: ended.has(contradiction.memoryA) ? "b_wins" : "a_wins",
    note: NOTE,
  }));
}
