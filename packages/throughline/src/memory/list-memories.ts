import { checkOptions, FLAG, type OptionRules, TEXT } from "../errors/check-options.ts";
import type { FactCategory, Memory, MemoryKind, MemoryScope } from "../ports/memory.ts";
import type { MemoryContext } from "./memory-context.ts";
import { CATEGORY, KIND_LIST, SCOPE } from "./memory-values.ts";
import { readMemories } from "./space/read-pages.ts";
import { isVisible, visibleSpaces } from "./space/spaces.ts";

const DEFAULT_LIMIT = 100;

/** Options of `tl.memory.list`. All filters must match. */
export interface ListOptions {
  /** Includes ended and archived memories. Default: false. */
  readonly all?: boolean;
  readonly kinds?: readonly MemoryKind[];
  readonly category?: FactCategory;
  readonly scope?: MemoryScope;
  /** Only memories with a greater id: pass the last id of a page to get the next one. */
  readonly after?: string;
  /** Maximum number of memories, at least 1. Default: 100. */
  readonly limit?: number;
}

const LIST_RULES: OptionRules<ListOptions> = {
  all: FLAG,
  kinds: KIND_LIST,
  category: CATEGORY,
  scope: SCOPE,
  after: TEXT,
  limit: [(value) => typeof value === "number" && value >= 1, "a number of at least 1"],
};

/** Lists the memories that the caller may see, sorted by id, which is the order of creation. */
export async function listMemories(context: MemoryContext, options: ListOptions = {}): Promise<readonly Memory[]> {
  checkOptions("memory.list", options, LIST_RULES);
  const { all = false, kinds, category, scope, after = "", limit = DEFAULT_LIMIT } = options;
  const isWanted = (memory: Memory): boolean =>
    isVisible(memory, context) &&
    (kinds === undefined || kinds.includes(memory.kind)) &&
    (category === undefined || memory.category === category);
  const found = await Promise.all(
    visibleSpaces(context, scope).map((space) => listSpace(context, { space, current: !all, after, limit, isWanted })),
  );
  return found
    .flat()
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

interface SpaceList {
  readonly space: string;
  readonly current: boolean;
  readonly after: string;
  readonly limit: number;
  readonly isWanted: (memory: Memory) => boolean;
}

async function listSpace(
  { memoryStore }: MemoryContext,
  { space, current, after, limit, isWanted }: SpaceList,
): Promise<readonly Memory[]> {
  const found: Memory[] = [];
  for await (const page of readMemories(memoryStore, space, { current, after })) {
    found.push(...page.filter(isWanted));
    if (found.length >= limit) break;
  }
  return found;
}
