import { omitUndefined } from "../internal/json.ts";
import { type Contradiction, isCurrent, type Memory, type Utterance } from "../ports/memory.ts";
import type {
  ContradictionFilter,
  JournalChange,
  JournalEntry,
  MemoryFilter,
  ProjectContents,
} from "../ports/memory-store.ts";

/** True if a memory meets the conditions of a filter, except `matchAny` and `limit`. */
export function isSelected(memory: Memory, filter: MemoryFilter): boolean {
  const { current = false, categorized = false, sessionId, after } = filter;
  return (
    (!current || isCurrent(memory)) &&
    (!categorized || memory.category !== undefined) &&
    (sessionId === undefined || memory.source.sessionId === sessionId) &&
    (after === undefined || memory.id > after)
  );
}

/** Compares memories in the order of a filter. */
export function memoryOrder({ lastSeenFirst = false }: MemoryFilter): (a: Memory, b: Memory) => number {
  const byId = (a: Memory, b: Memory) => (a.id < b.id ? -1 : 1);
  return lastSeenFirst ? (a, b) => b.lastSeenAt - a.lastSeenAt || byId(b, a) : byId;
}

/** The contradictions that a filter selects, oldest first. */
export function selectContradictions(all: Iterable<Contradiction>, filter: ContradictionFilter): Contradiction[] {
  const { status, of } = filter;
  const touched = of && new Set(of);
  const selected = [...all].filter(
    ({ memoryA, memoryB, status: own }) =>
      (status === undefined || own === status) &&
      (touched === undefined || touched.has(memoryA) || touched.has(memoryB)),
  );
  return selected.sort((a, b) => a.detectedAt - b.detectedAt || (a.id < b.id ? -1 : 1));
}

/** True if a journal entry changed the item with this id. */
export function hasChange({ changes }: JournalEntry, id: string): boolean {
  return changes.some((change) => change.id === id);
}

/** Counts memories and sessions by project. */
export function countByProject(memories: Iterable<Memory>, turns: Iterable<Utterance>): ProjectContents[] {
  const counts = new Map<string | undefined, { memories: number; current: number; lastUsedAt: number }>();
  const sessions = new Map<string | undefined, Set<string>>();
  const use = (projectId: string | undefined, ...times: readonly (number | undefined)[]) => {
    const count = counts.get(projectId) ?? { memories: 0, current: 0, lastUsedAt: Number.NEGATIVE_INFINITY };
    count.lastUsedAt = Math.max(count.lastUsedAt, ...times.filter((time) => time !== undefined));
    counts.set(projectId, count);
    return count;
  };
  for (const memory of memories) {
    const count = use(memory.projectId, memory.lastSeenAt, memory.usage.lastAccessedAt);
    count.memories += 1;
    if (isCurrent(memory)) count.current += 1;
  }
  for (const { projectId, sessionId, at, createdAt } of turns) {
    use(projectId, at ?? createdAt);
    sessions.set(projectId, (sessions.get(projectId) ?? new Set()).add(sessionId));
  }
  const found = [...counts].map(([projectId, count]) =>
    omitUndefined({ projectId, ...count, sessions: sessions.get(projectId)?.size ?? 0 }),
  );
  return sortContents(found);
}

/** By project id; the contents outside of projects first. */
export function sortContents(contents: readonly ProjectContents[]): ProjectContents[] {
  const isBefore = (a: ProjectContents, b: ProjectContents) =>
    a.projectId === undefined || (b.projectId !== undefined && a.projectId < b.projectId);
  return contents.toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
}

/** Ids that are being erased. */
export interface ErasedIds {
  readonly memories: ReadonlySet<string>;
  readonly contradictions: ReadonlySet<string>;
  readonly turns: ReadonlySet<string>;
}

/** The memory without references to erased ones; the same object if it has none. */
export function withoutReferences(memory: Memory, erased: ReadonlySet<string>): Memory {
  const { links, supersedes, supersededBy } = memory;
  const kept = (id: string | undefined) => (id !== undefined && erased.has(id) ? undefined : id);
  if (!links.some((id) => erased.has(id)) && kept(supersedes) === supersedes && kept(supersededBy) === supersededBy) {
    return memory;
  }
  return omitUndefined({
    ...memory,
    links: links.filter((id) => !erased.has(id)),
    supersedes: kept(supersedes),
    supersededBy: kept(supersededBy),
  });
}

/** The change without references to erased items: unchanged if it has none, `undefined` if it is only about them. */
export function withoutErased(change: JournalChange, erased: ErasedIds): JournalChange | undefined {
  const { kind, id, before } = change;
  if (kind === "turn")
    return erased.turns.has(id) || isMarkedBy(before as Utterance | undefined, erased) ? undefined : change;
  if (kind === "memory") {
    if (erased.memories.has(id)) return undefined;
    const memory = before && withoutReferences(before as Memory, erased.memories);
    return memory === before ? change : omitUndefined({ ...change, before: memory });
  }
  return erased.contradictions.has(id) || isAbout(before as Contradiction | undefined, erased) ? undefined : change;
}

/** True if `before` refers to other memories or turns. */
export function namesOthers({ kind, before }: JournalChange): boolean {
  if (before === undefined) return false;
  if (kind === "turn") return (before as Utterance).marks !== undefined;
  const { links, supersedes, supersededBy } = before as Memory;
  return kind === "contradiction" || links.length > 0 || supersedes !== undefined || supersededBy !== undefined;
}

function isMarkedBy(turn: Utterance | undefined, { memories, turns }: ErasedIds): boolean {
  return turn?.marks?.some(({ by }) => by !== undefined && (memories.has(by) || turns.has(by))) ?? false;
}

function isAbout(contradiction: Contradiction | undefined, { memories }: ErasedIds): boolean {
  return contradiction !== undefined && [contradiction.memoryA, contradiction.memoryB].some((id) => memories.has(id));
}
