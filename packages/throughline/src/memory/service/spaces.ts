import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import type { Memory, MemoryScope } from "../../ports/memory.ts";

/** Who looks, and from which project. */
export interface Visit {
  readonly owner: string;
  readonly projectId: string | undefined;
  /**
   * Sees every project: all private memories, whichever project they belong to, and the shared memories of the projects
   * listed here. Without it, only `projectId` and what belongs to no project are seen.
   */
  readonly allProjects?: readonly string[] | undefined;
  /** What everybody has may be read, and not changed. */
  readonly isSystemReadOnly?: boolean | undefined;
}

const SYSTEM = "system";
const PROJECT = "project:";

/** Where memories of a scope live. */
export function spaceOf(scope: MemoryScope, { owner, projectId }: Visit): string {
  if (scope === "system") return SYSTEM;
  if (scope === "user-private") return `user:${owner}`;
  if (projectId === undefined) {
    throw new InvalidOptionError("scope", scope, "a project to share with: createThroughline({ projectId })");
  }
  return `${PROJECT}${projectId}`;
}

/** The spaces that a visitor sees, their own first; of one scope alone, where one is named. */
export function visibleSpaces(visit: Visit, scope?: MemoryScope): readonly string[] {
  const { projectId, allProjects = projectId === undefined ? [] : [projectId] } = visit;
  const shared = allProjects.map((project) => ({ ...visit, projectId: project }));
  const spaces: readonly (readonly [MemoryScope, Visit])[] = [
    ["user-private", visit],
    ...shared.map((own) => ["project-shared", own] as const),
    ["system", visit],
  ];
  return spaces.filter(([one]) => scope === undefined || one === scope).map(([one, own]) => spaceOf(one, own));
}

/** The spaces that a visitor may change. */
export function writableSpaces(visit: Visit): readonly string[] {
  return visibleSpaces(visit).filter((space) => isWritable(space, visit));
}

/** The project whose shared memories a space holds; `undefined` if it holds something else. */
export function projectOfSpace(space: string): string | undefined {
  return space.startsWith(PROJECT) ? space.slice(PROJECT.length) : undefined;
}

export function isWritable(space: string, { isSystemReadOnly = false }: Visit): boolean {
  return space !== SYSTEM || !isSystemReadOnly;
}

/** Whether a memory of a visible space belongs to where the visitor is: what was said of one project stays there. */
export function isVisible(
  memory: Pick<Memory, "projectId">,
  from: { readonly projectId?: string | undefined; readonly allProjects?: readonly string[] | undefined },
): boolean {
  return memory.projectId === undefined || memory.projectId === from.projectId || from.allProjects !== undefined;
}
