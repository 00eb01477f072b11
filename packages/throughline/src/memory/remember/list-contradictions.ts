import { checkOptions, type OptionRules, oneOf } from "../../errors/check-options.ts";
import type { Contradiction } from "../../ports/memory.ts";
import type { ContradictionFilter } from "../../ports/memory-store.ts";
import type { MemoryContext } from "../memory-context.ts";
import { isVisible, visibleSpaces } from "../space/spaces.ts";

type StatusFilter = Pick<ContradictionFilter, "status">;

const FILTER_RULES: OptionRules<StatusFilter> = { status: oneOf("open", "resolved") };

/** Lists contradictions between memories that the caller may see. */
export async function listContradictions(
  context: MemoryContext,
  filter: StatusFilter = {},
): Promise<readonly Contradiction[]> {
  checkOptions("memory.contradictions", filter, FILTER_RULES);
  const { status } = filter;
  const found = await Promise.all(
    visibleSpaces(context).map(async (space) => {
      const all = await context.memoryStore.list(space, "contradictions", status === undefined ? {} : { status });
      const ids = [...new Set(all.flatMap(({ memoryA, memoryB }) => [memoryA, memoryB]))];
      const memories = ids.length === 0 ? [] : await context.memoryStore.get(space, "memories", ids);
      const visible = new Set(memories.filter((memory) => isVisible(memory, context)).map(({ id }) => id));
      return all.filter(({ memoryA, memoryB }) => visible.has(memoryA) && visible.has(memoryB));
    }),
  );
  return found.flat();
}
