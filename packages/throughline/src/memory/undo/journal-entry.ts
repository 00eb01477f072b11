import { digest, omitUndefined, sameJson } from "../../internal/json.ts";
import type { Contradiction, Memory, Utterance } from "../../ports/memory.ts";
import type { JournalChange, JournalEntry } from "../../ports/memory-store.ts";

/** Memories, contradictions and turns at one point in time. */
export interface MemorySnapshot {
  readonly memories?: Iterable<Memory>;
  readonly contradictions?: Iterable<Contradiction>;
  readonly turns?: Iterable<Utterance>;
}

interface JournalInput {
  readonly id: string;
  readonly at: number;
  /** Name of the operation: `remember`, `consolidate`, `undo`, … */
  readonly action: string;
  /** Previous versions of the written items. Other items are ignored. */
  readonly before: MemorySnapshot;
  /** Written items. */
  readonly after: MemorySnapshot;
  /** Id of the entry that this one undoes. */
  readonly undoes?: string;
}

/**
 * Records the written items that differ from their previous version, so that the operation can be undone. Usage counts
 * are not changes. A new turn is not a change either: an undo does not remove stored evidence. Yields between items, so
 * that the caller can let other tasks run.
 *
 * @example
 * runSteps(writeJournalEntry({ id: "jrn_1", at: now, action: "forget", before: { memories: [old] }, after: { memories:
 * [archived] } }));
 */
export function* writeJournalEntry({
  id,
  at,
  action,
  before,
  after,
  undoes,
}: JournalInput): Generator<undefined, JournalEntry> {
  const turns = yield* compare("turn", digestTurn, before.turns, after.turns);
  const changes = [
    ...(yield* compare("memory", digestMemory, before.memories, after.memories)),
    ...(yield* compare("contradiction", digestContradiction, before.contradictions, after.contradictions)),
    ...turns.filter((change) => change.before !== undefined),
  ];
  return omitUndefined({ id, at, action, changes, undoes });
}

function* compare<T extends Memory | Contradiction | Utterance>(
  kind: JournalChange["kind"],
  digest: (item: T) => string,
  before: Iterable<T> = [],
  after: Iterable<T> = [],
): Generator<undefined, JournalChange[]> {
  const known = new Map(Array.from(before, (item) => [item.id, item]));
  const changes: JournalChange[] = [];
  for (const item of after) {
    const old = known.get(item.id);
    if (old === undefined) changes.push({ kind, id: item.id, after: digest(item) });
    else if (!sameJson(undoableContent(old), undoableContent(item))) {
      changes.push({ kind, id: item.id, before: old, after: digest(item) });
    }
    yield;
  }
  return changes;
}

/** An item without its usage counts and pending facts, which an undo does not restore. */
function undoableContent(item: Memory | Contradiction | Utterance): object {
  if ("usage" in item) {
    const { usage: _, ...rest } = item;
    return rest;
  }
  if (!("sessionId" in item)) return item;
  const { pending: _, ...rest } = item;
  return rest;
}

/**
 * Ids of archived memories that a user restored with an undo. Consolidation skips them, so that it does not archive
 * them again. An undo that was itself undone does not count.
 */
export function restoredIds(journal: readonly JournalEntry[]): ReadonlySet<string> {
  const undone = new Set(journal.flatMap(({ undoes }) => undoes ?? []));
  const ids = journal
    .filter(({ id, undoes }) => undoes !== undefined && !undone.has(id))
    .flatMap(({ changes }) => changes)
    .filter(({ before }) => before !== undefined && "archivedAt" in before && before.archivedAt !== undefined)
    .map(({ id }) => id);
  return new Set(ids);
}

/**
 * Short hash of a memory's content and state. Usage counts, search terms and references to other memories are left out:
 * recall changes the first two, and purging a memory removes its id from the others.
 */
export function digestMemory(memory: Memory): string {
  const { usage: _, heard: __, links: ___, supersedes: ____, supersededBy: _____, ...rest } = memory;
  return digest(rest);
}

/** Short hash of a memory, turn or contradiction. */
export function digestOf(item: Memory | Contradiction | Utterance): string {
  if (isMemory(item)) return digestMemory(item);
  return isTurn(item) ? digestTurn(item) : digestContradiction(item);
}

/** True for a memory. */
export function isMemory(item: Memory | Contradiction | Utterance): item is Memory {
  return "levels" in item;
}

/** True for a turn. */
export function isTurn(item: Memory | Contradiction | Utterance): item is Utterance {
  return "sessionId" in item;
}

/** Short hash of a contradiction. */
export function digestContradiction(contradiction: Contradiction): string {
  return digest(contradiction);
}

/** Short hash of a turn, without its facts that are not saved yet. */
function digestTurn({ pending: _, ...turn }: Utterance): string {
  return digest(turn);
}

/** Merges entries with the same id: one operation in several spaces is one entry with the changes of all. */
export function mergeEntries(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const byId = new Map<string, JournalEntry>();
  for (const entry of entries) {
    const known = byId.get(entry.id);
    byId.set(entry.id, known === undefined ? entry : { ...known, changes: [...known.changes, ...entry.changes] });
  }
  return [...byId.values()];
}
