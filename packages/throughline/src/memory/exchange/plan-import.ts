import { sameJson } from "../../internal/json.ts";
import type { Contradiction, Memory, Utterance } from "../../ports/memory.ts";
import type { JournalEntry } from "../../ports/memory-store.ts";
import type { MemoryExport } from "./memory-export.ts";

/** Stored items with ids of the export. Ids without an item are new. */
export interface ExistingById {
  readonly memories?: ReadonlyMap<string, Memory>;
  readonly turns?: ReadonlyMap<string, Utterance>;
  readonly contradictions?: ReadonlyMap<string, Contradiction>;
  readonly journal?: ReadonlyMap<string, JournalEntry>;
}

/** An id with different content in the store and in the export. */
interface ImportConflict<T> {
  readonly existing: T;
  readonly imported: T;
  /** Version that the import keeps. */
  readonly keep: "existing" | "imported";
  /** One sentence for a person. */
  readonly reason: string;
}

/** Planned outcome for the items of one kind. */
export interface PlannedImport<T> {
  readonly toAdd: readonly T[];
  /** Imported items that are equal to the stored ones. */
  readonly unchanged: readonly T[];
  readonly conflicting: readonly ImportConflict<T>[];
}

export interface ImportPlan {
  readonly memories: PlannedImport<Memory>;
  readonly turns: PlannedImport<Utterance>;
  readonly contradictions: PlannedImport<Contradiction>;
  readonly journal: PlannedImport<JournalEntry>;
}

/**
 * Plans the changes of an import. It removes nothing, and a second import of the same export changes nothing.
 *
 * If a stored item has the same id and other content, the import keeps:
 * - for a memory: the one with the later `lastSeenAt`, then the one that ended or was archived later (a current memory
 *   can
 *   end, but an ended one does not become current), then the stored one. Usage counts are ignored;
 * - for a turn: the stored one, because its text is never rewritten. Marks of outdated spans are imported if the stored
 *   turn
 *   has none;
 * - for a contradiction: a resolved one before an open one, then the later resolution, then the stored one;
 * - for a journal entry: the stored one.
 *
 * Yields between items, so that the caller can let other tasks run.
 */
export function* planImport(existing: ExistingById, exported: MemoryExport): Generator<undefined, ImportPlan> {
  return {
    memories: yield* plan(exported.memories, existing.memories, isSameMemory, judgeMemory),
    turns: yield* plan(exported.turns, existing.turns, sameJson, judgeTurn),
    contradictions: yield* plan(exported.contradictions, existing.contradictions, sameJson, judgeContradiction),
    journal: yield* plan(exported.journal ?? [], existing.journal, sameJson, () =>
      keepExisting("Journal entries are not rewritten."),
    ),
  };
}

/** Items that the import writes: new ones, and conflicting ones that win over the stored version. */
export function itemsToWrite<T>({ toAdd, conflicting }: PlannedImport<T>): readonly T[] {
  return [...toAdd, ...conflicting.flatMap(({ keep, imported }) => (keep === "imported" ? [imported] : []))];
}

const NEITHER_NEWER = "Neither is newer; the stored one is kept.";

type Verdict = Pick<ImportConflict<unknown>, "keep" | "reason">;

function* plan<T extends { readonly id: string }>(
  items: readonly T[],
  existing: ReadonlyMap<string, T> | undefined,
  isSame: (a: T, b: T) => boolean,
  judge: (existing: T, imported: T) => Verdict,
): Generator<undefined, PlannedImport<T>> {
  const toAdd: T[] = [];
  const unchanged: T[] = [];
  const conflicting: ImportConflict<T>[] = [];
  for (const imported of items) {
    const known = existing?.get(imported.id);
    if (known === undefined) toAdd.push(imported);
    else if (isSame(known, imported)) unchanged.push(imported);
    else conflicting.push({ existing: known, imported, ...judge(known, imported) });
    yield;
  }
  return { toAdd, unchanged, conflicting };
}

/** Compares content only: usage counts and search terms differ between stores. */
function isSameMemory(a: Memory, b: Memory): boolean {
  const [{ usage: _, heard: __, ...left }, { usage: ___, heard: ____, ...right }] = [a, b];
  return sameJson(left, right);
}

function judgeMemory(existing: Memory, imported: Memory): Verdict {
  if (imported.lastSeenAt !== existing.lastSeenAt) {
    const reason = "It was seen later.";
    return imported.lastSeenAt > existing.lastSeenAt ? keepImported(reason) : keepExisting(reason);
  }
  const [ended, knownEnd] = [endOf(imported), endOf(existing)];
  if (ended !== knownEnd) return ended > knownEnd ? keepImported("It ended later.") : keepExisting("It ended later.");
  return keepExisting(NEITHER_NEWER);
}

/** Time at which a memory ended or was archived; -Infinity for a current memory. */
function endOf({ validTo, archivedAt }: Memory): number {
  return Math.max(validTo ?? Number.NEGATIVE_INFINITY, archivedAt ?? Number.NEGATIVE_INFINITY);
}

function judgeTurn(existing: Utterance, imported: Utterance): Verdict {
  const isMarked = existing.staleSince !== undefined || existing.staleSpans !== undefined;
  const { staleSince: _, staleSpans: __, marks: ___, ...said } = imported;
  return !isMarked && sameJson(said, existing)
    ? keepImported("It has marks of outdated text.")
    : keepExisting("Stored turns are not rewritten.");
}

function judgeContradiction(existing: Contradiction, imported: Contradiction): Verdict {
  const [decided, known] = [decidedAt(imported), decidedAt(existing)];
  if (decided === known) return keepExisting(NEITHER_NEWER);
  return decided > known ? keepImported("It was resolved later.") : keepExisting("It was resolved later.");
}

function decidedAt({ status, resolvedAt }: Contradiction): number {
  return status === "open" ? Number.NEGATIVE_INFINITY : (resolvedAt ?? 0);
}

function keepExisting(reason: string): Verdict {
  return { keep: "existing", reason };
}

function keepImported(reason: string): Verdict {
  return { keep: "imported", reason };
}
