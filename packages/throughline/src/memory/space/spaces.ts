import { InvalidOptionError } from "../../errors/input-errors.ts";
import { ForbiddenError } from "../../errors/memory-errors.ts";
import type { Memory, MemoryScope } from "../../ports/memory.ts";

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
