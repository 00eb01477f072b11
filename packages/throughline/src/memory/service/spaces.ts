import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import type { Memory, MemoryScope } from "../../ports/memory.ts";

/** Who looks, and from which project. */
export interface Visit {
  readonly owner: string;
  readonly projectId: string | undefined;
  /** What everybody has may be read, and not changed. */
  readonly isSystemReadOnly?: boolean | undefined;
}

const SYSTEM = "system";

/** Where memories of a scope live. */
export function spaceOf(scope: MemoryScope, { owner, projectId }: Visit): string {
  if (scope === "system") return SYSTEM;
  if (scope === "user-private") return `user:${owner}`;
  if (projectId === undefined) {
    throw new InvalidOptionError("scope", scope, "a project to share with: createThroughline({ projectId })");
  }
  return `project:${projectId}`;
}

/** The spaces that a visitor sees, their own first; of one scope alone, where one is named. */
export function visibleSpaces(visit: Visit, scope?: MemoryScope): readonly string[] {
  const scopes: readonly MemoryScope[] =
    visit.projectId === undefined ? ["user-private", "system"] : ["user-private", "project-shared", "system"];
  return scopes.filter((one) => scope === undefined || one === scope).map((one) => spaceOf(one, visit));
}

/** The spaces that a visitor may change. */
export function writableSpaces(visit: Visit): readonly string[] {
  return visibleSpaces(visit).filter((space) => isWritable(space, visit));
}

export function isWritable(space: string, { isSystemReadOnly = false }: Visit): boolean {
  return space !== SYSTEM || !isSystemReadOnly;
}

/** Whether a memory of a visible space belongs to where the visitor is: what was said of one project stays there. */
export function isVisible(
  memory: Pick<Memory, "projectId">,
  from: { readonly projectId?: string | undefined },
): boolean {
  return memory.projectId === undefined || memory.projectId === from.projectId;
}
