import { omitUndefined } from "../../internal/json.ts";
import { mergeSorted, sortYielding, yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { FactCategory, Memory, MemoryKind, MemoryScope } from "../../ports/memory.ts";
import type { MemoryContext } from "../memory-context.ts";
import { SpaceCache, type SpaceChanges } from "../space/space-cache.ts";
import { isVisible, readMemories } from "../space/spaces.ts";

interface SpaceRows {
  readonly byId: Map<string, MemoryRow>;
  /** Last mentioned first. */
  readonly sorted: readonly MemoryRow[];
}

/** Rows of all memories that the caller can see. */
export interface MemoryRows {
  /** Last mentioned first. */
  readonly rows: readonly MemoryRow[];
  /** Changes with every write to one of the spaces. */
  readonly revision: string;
  readonly get: (id: string) => MemoryRow | undefined;
}

/**
 * Rows of memories. They are read on first use and then updated from the journal, so that a page of a long list takes
 * little work.
 */
export class MemoryTable {
  readonly #context: MemoryContext;
  readonly #cache: SpaceCache<SpaceRows>;
  #opened: MemoryRows | undefined;

  constructor(context: MemoryContext) {
    this.#context = context;
    this.#cache = new SpaceCache(context.memoryStore, context, {
      read: (space) => this.#read(space),
      update: async (known, changes, space) => this.#update(known, changes, space),
    });
  }

  /** True after the rows were read once; then `open` is quick. */
  get isLoaded(): boolean {
    return this.#opened !== undefined;
  }

  async open(): Promise<MemoryRows> {
    const { spaces, revision } = await this.#cache.open();
    if (this.#opened?.revision === revision) return this.#opened;
    const rows = spaces.map(({ sorted }) => sorted).reduce((all, one) => mergeSorted(all, one, lastMentionedFirst), []);
    const get = (id: string) => spaces.find(({ byId }) => byId.has(id))?.byId.get(id);
    this.#opened = { rows, revision, get };
    return this.#opened;
  }

  async #read(space: string): Promise<SpaceRows> {
    const byId = new Map<string, MemoryRow>();
    for await (const page of readMemories(this.#context.memoryStore, space)) {
      for (const memory of page) if (isVisible(memory, this.#context)) byId.set(memory.id, rowOf(memory, space));
      await yieldToEventLoop();
    }
    return { byId, sorted: await sortYielding([...byId.values()], lastMentionedFirst) };
  }

  #update({ byId, sorted }: SpaceRows, { ids, memories }: SpaceChanges, space: string): SpaceRows {
    for (const id of ids) byId.delete(id);
    const changed = memories.filter((memory) => isVisible(memory, this.#context)).map((memory) => rowOf(memory, space));
    for (const row of changed) byId.set(row.id, row);
    const isChanged = new Set(ids);
    const others = sorted.filter(({ id }) => !isChanged.has(id));
    return { byId, sorted: mergeSorted(others, changed.sort(lastMentionedFirst), lastMentionedFirst) };
  }
}

export function lastMentionedFirst(
  a: Pick<MemoryRow, "id" | "lastSeenAt">,
  b: Pick<MemoryRow, "id" | "lastSeenAt">,
): number {
  return b.lastSeenAt - a.lastSeenAt || (a.id < b.id ? 1 : -1);
}

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

function rowOf(memory: Memory, space: string): MemoryRow {
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

/** Conditions of a list of memories. All must match. */
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
