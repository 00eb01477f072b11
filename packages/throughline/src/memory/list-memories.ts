import { checkOptions, FLAG, type OptionRules, oneOf, TEXT } from "../errors/check-options.ts";
import { NotFoundError } from "../errors/store-errors.ts";
import type { Contradiction, FactCategory, Memory, MemoryKind, MemoryScope } from "../ports/memory.ts";
import type { ContradictionFilter, ProjectContents } from "../ports/memory-store.ts";
import type { MemoryContext } from "./memory-context.ts";
import { CATEGORY, KIND_LIST, SCOPE } from "./memory-kinds.ts";
import { isVisible, projectOfSpace, readMemories, spaceOf, visibleSpaces } from "./space/spaces.ts";

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

/** Numbers of memories and sessions, and the time of the last use. */
export interface MemoryCounts {
  /** Number of memories that are true now and not archived. */
  readonly memories: number;
  /** Number of memories that ended or were archived. */
  readonly archived: number;
  /** Number of sessions that messages are stored of. */
  readonly sessions: number;
  /** Last mention or use, in milliseconds since 1970; missing if there are no memories and sessions. */
  readonly lastUsedAt?: number;
}

/** A project with memories of the user, private or shared. */
export interface ProjectSummary extends MemoryCounts {
  readonly id: string;
}

/** The projects of a user. */
export interface UserProjects {
  /** Sorted by last use, the latest first. */
  readonly projects: readonly ProjectSummary[];
  /** Memories outside of projects, which are visible in every project. */
  readonly personal: MemoryCounts;
}

const PAGE = 500;
const NOTHING: MemoryCounts = { memories: 0, archived: 0, sessions: 0 };

/** The projects in which the user has memories, and those whose shared memories are visible to the caller. */
export async function listProjects(context: MemoryContext): Promise<UserProjects> {
  const { memoryStore } = context;
  const own = spaceOf("user-private", context);
  const found = new Map<string | undefined, MemoryCounts>();
  const add = ({ projectId, ...contents }: ProjectContents) =>
    found.set(projectId, addCounts(found.get(projectId) ?? NOTHING, contents));
  for (const contents of await memoryStore.list(own, "projects")) add(contents);
  const known = [...found.keys()].filter((id) => id !== undefined);
  const { projectId, allProjects = projectId === undefined ? [] : [projectId] } = context;
  const seen = new Set([...allProjects, ...known]);
  const visible = { ...context, allProjects: [...seen, ...(await sharedOnly(context, seen))] };
  for (const space of visibleSpaces(visible, "project-shared"))
    (await memoryStore.list(space, "projects")).forEach(add);
  const projects = [...found].flatMap(([id, counts]) => (id === undefined ? [] : [{ id, ...counts }]));
  return { projects: projects.toSorted(latestFirst), personal: found.get(undefined) ?? NOTHING };
}

/** Other projects in which the user has shared memories. */
async function sharedOnly(
  { memoryStore, userId }: MemoryContext,
  seen: ReadonlySet<string>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (let after = ""; ; ) {
    const page = await memoryStore.spaces({ after, limit: PAGE });
    for (const space of page) {
      const project = projectOfSpace(space);
      if (project === undefined || seen.has(project)) continue;
      for await (const memories of readMemories(memoryStore, space)) {
        if (!memories.some((memory) => memory.owner === userId)) continue;
        found.push(project);
        break;
      }
    }
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return found;
    after = last;
  }
}

function addCounts(counts: MemoryCounts, contents: Omit<ProjectContents, "projectId">): MemoryCounts {
  const { memories, current, sessions, lastUsedAt } = contents;
  return {
    memories: counts.memories + current,
    archived: counts.archived + memories - current,
    sessions: counts.sessions + sessions,
    lastUsedAt: Math.max(counts.lastUsedAt ?? Number.NEGATIVE_INFINITY, lastUsedAt),
  };
}

function latestFirst(a: ProjectSummary, b: ProjectSummary): number {
  return (b.lastUsedAt ?? 0) - (a.lastUsedAt ?? 0) || (a.id < b.id ? -1 : 1);
}

/** A memory and its space. */
export interface PlacedMemory {
  readonly memory: Memory;
  readonly space: string;
}

/** The memory with an id; `undefined` if the caller may not see it. */
export async function findMemory(context: MemoryContext, id: string): Promise<PlacedMemory | undefined> {
  for (const space of visibleSpaces(context)) {
    const [memory] = await context.memoryStore.get(space, "memories", [id]);
    if (memory !== undefined && isVisible(memory, context)) return { memory, space };
  }
  return undefined;
}

/** The memories with the given ids that the caller may see, in the order of the ids. */
export async function findMemories(context: MemoryContext, ids: readonly string[]): Promise<readonly Memory[]> {
  const found = new Map<string, Memory>();
  for (const space of visibleSpaces(context)) {
    const missing = ids.filter((id) => !found.has(id));
    if (missing.length === 0) break;
    for (const memory of await context.memoryStore.get(space, "memories", missing)) {
      if (isVisible(memory, context)) found.set(memory.id, memory);
    }
  }
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** @throws NotFoundError if the caller can see no memory with this id. */
export async function requireMemory(context: MemoryContext, id: string): Promise<PlacedMemory> {
  const found = await findMemory(context, id);
  if (found === undefined) throw new NotFoundError(`Memory ${id}`, "here");
  return found;
}

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
