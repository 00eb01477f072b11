import { InvalidOptionError } from "../../errors/input-errors.ts";
import { ForbiddenError } from "../../errors/memory-errors.ts";
import type { Memory, MemoryScope, Utterance } from "../../ports/memory.ts";
import type { MemoryFilter, MemoryStore, StoredSearchEntry } from "../../ports/memory-store.ts";

/** The calling user and their current project. */
export interface Caller {
  readonly userId: string;
  readonly projectId: string | undefined;
  /**
   * If set, the caller sees every project: all private memories of any project, and the shared memories of the projects
   * listed here. Otherwise only memories of `projectId` and of no project are visible.
   */
  readonly allProjects?: readonly string[] | undefined;
  /** Memories of the `system` scope may be read but not changed. */
  readonly isSystemReadOnly?: boolean | undefined;
}

const SYSTEM = "system";
const PROJECT = "project:";

/** The space of the memories of a scope. */
export function spaceOf(scope: MemoryScope, { userId, projectId }: Caller): string {
  if (scope === "system") return SYSTEM;
  if (scope === "user-private") return `user:${userId}`;
  if (projectId === undefined) {
    throw new InvalidOptionError(
      "scope",
      scope,
      "user-private, or a project to share with: createThroughline({ projectId })",
    );
  }
  return `${PROJECT}${projectId}`;
}

/** The spaces visible to a caller, private first; only those of `scope` if given. */
export function visibleSpaces(caller: Caller, scope?: MemoryScope): readonly string[] {
  const { projectId, allProjects = projectId === undefined ? [] : [projectId] } = caller;
  const shared = allProjects.map((project) => ({ ...caller, projectId: project }));
  const spaces: readonly (readonly [MemoryScope, Caller])[] = [
    ["user-private", caller],
    ...shared.map((own) => ["project-shared", own] as const),
    ["system", caller],
  ];
  return spaces.filter(([one]) => scope === undefined || one === scope).map(([one, own]) => spaceOf(one, own));
}

/** The spaces that a caller may write to. */
export function writableSpaces(caller: Caller): readonly string[] {
  return visibleSpaces(caller).filter((space) => isWritable(space, caller));
}

/** The project whose shared memories a space contains; `undefined` for other spaces. */
export function projectOfSpace(space: string): string | undefined {
  return space.startsWith(PROJECT) ? space.slice(PROJECT.length) : undefined;
}

function isWritable(space: string, { isSystemReadOnly = false }: Caller): boolean {
  return space !== SYSTEM || !isSystemReadOnly;
}

/** True if a memory in a visible space is visible from a project. Memories of one project are hidden in others. */
export function isVisible(
  memory: Pick<Memory, "projectId">,
  from: { readonly projectId?: string | undefined; readonly allProjects?: readonly string[] | undefined },
): boolean {
  return memory.projectId === undefined || memory.projectId === from.projectId || from.allProjects !== undefined;
}

/** @throws ForbiddenError if the caller may only read the space. */
export function assertWritable(space: string, caller: Caller): void {
  if (!isWritable(space, caller))
    throw new ForbiddenError("memories of the scope system", "Only an administrator can change them.");
}

/** Page size for search entries and memories. */
const PAGE = 2_000;
const MEMORY_PAGE_SIZE = 1_000;

/** Search entries of a space that were written after a revision, in write order, page by page. */
export async function* readEntries(
  memoryStore: MemoryStore,
  space: string,
  revision = 0,
): AsyncGenerator<readonly StoredSearchEntry[]> {
  let after: { readonly revision: number; readonly id?: string } = { revision };
  for (;;) {
    const page = await memoryStore.list(space, "entries", { after, limit: PAGE });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { revision: last.revision, id: last.id };
  }
}

/** The memories of a space, sorted by id, page by page. */
export async function* readMemories(
  memoryStore: MemoryStore,
  space: string,
  filter: Omit<MemoryFilter, "limit"> = {},
): AsyncGenerator<readonly Memory[]> {
  let { after = "" } = filter;
  for (;;) {
    const page = await memoryStore.list(space, "memories", { ...filter, after, limit: MEMORY_PAGE_SIZE });
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined || page.length < MEMORY_PAGE_SIZE) return;
    after = last.id;
  }
}

/** The last turn of a session; `undefined` if it has none. */
export async function readLastTurn(
  memoryStore: MemoryStore,
  space: string,
  sessionId: string,
): Promise<Utterance | undefined> {
  const [turn] = await memoryStore.list(space, "turns", { sessionId, newestFirst: true, limit: 1 });
  return turn;
}
