import { omitUndefined } from "../../internal/json.ts";
import type { FactCategory, Memory, MemoryKind, MemoryScope } from "../../ports/memory.ts";

/** State of a memory: true now, ended because something else became true, or archived. */
export type MemoryStatus = "current" | "ended" | "archived";

/** Properties of a memory that lists are filtered and sorted by, without its text. */
export interface MemoryRow {
  readonly id: string;
  readonly space: string;
  readonly kind: MemoryKind;
  readonly category?: FactCategory;
  readonly scope: MemoryScope;
  readonly projectId?: string;
  /** Speaker of the source, or the owner of a memory that was saved by hand. */
  readonly person: string;
  readonly status: MemoryStatus;
  /** Extracted, and not accepted by a person. */
  readonly isNew: boolean;
  readonly lastSeenAt: number;
  readonly supersededBy?: string;
}

export function rowOf(memory: Memory, space: string): MemoryRow {
  const { id, kind, category, scope, projectId, owner, source, byHand, reviewedAt, lastSeenAt, supersededBy } = memory;
  return omitUndefined({
    id,
    space,
    kind,
    category,
    scope,
    projectId,
    person: source.speaker ?? owner,
    status: statusOf(memory),
    isNew: !byHand && reviewedAt === undefined,
    lastSeenAt,
    supersededBy,
  });
}

function statusOf({ archivedAt, validTo }: Memory): MemoryStatus {
  if (archivedAt !== undefined) return "archived";
  return validTo === undefined ? "current" : "ended";
}

/** Conditions of a list of memories. All must hold. */
export interface MemoryConditions {
  readonly kinds?: readonly MemoryKind[];
  readonly category?: FactCategory;
  readonly scope?: MemoryScope;
  /** Id of a project; `null` selects memories outside of projects. */
  readonly projectId?: string | null;
  /** Speaker of the source, or the owner of memories that were saved by hand. */
  readonly person?: string;
  /** Default: every status. */
  readonly status?: MemoryStatus;
  /** `true` selects memories that were extracted and not reviewed; `false` the others. */
  readonly isNew?: boolean;
  /** Last mentioned at this time or later, in milliseconds since 1970. */
  readonly since?: number;
  /** Last mentioned before this time, in milliseconds since 1970. */
  readonly before?: number;
}

export function isMatch(row: MemoryRow, conditions: MemoryConditions): boolean {
  const { kinds, category, scope, projectId, person, status, isNew, since, before } = conditions;
  return (
    (kinds === undefined || kinds.includes(row.kind)) &&
    (category === undefined || row.category === category) &&
    (scope === undefined || row.scope === scope) &&
    (projectId === undefined || (row.projectId ?? null) === projectId) &&
    (person === undefined || row.person === person) &&
    (status === undefined || row.status === status) &&
    (isNew === undefined || row.isNew === isNew) &&
    (since === undefined || row.lastSeenAt >= since) &&
    (before === undefined || row.lastSeenAt < before)
  );
}
