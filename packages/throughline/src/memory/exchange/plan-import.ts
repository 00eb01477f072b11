import { sameJson } from "../../internal/json.ts";
import type { Contradiction, Memory, Turn } from "../../ports/memory.ts";
import type { JournalEntry } from "../../ports/memory-store.ts";
import type { MemoryExport } from "./memory-export.ts";

/** What is there already under the ids of an export. What is not named is not there. */
export interface ExistingById {
  readonly memories?: ReadonlyMap<string, Memory>;
  readonly turns?: ReadonlyMap<string, Turn>;
  readonly contradictions?: ReadonlyMap<string, Contradiction>;
  readonly journal?: ReadonlyMap<string, JournalEntry>;
}

/** An id that stands for two things. */
interface ImportConflict<T> {
  readonly existing: T;
  readonly imported: T;
  /** Which of the two is there afterwards. */
  readonly keep: "existing" | "imported";
  /** One sentence for a person. */
  readonly reason: string;
}

/** What becomes of one kind of things. */
export interface PlannedImport<T> {
  readonly toAdd: readonly T[];
  /** What is there already. */
  readonly unchanged: readonly T[];
  readonly conflicting: readonly ImportConflict<T>[];
}

export interface ImportPlan {
  readonly memories: PlannedImport<Memory>;
  readonly turns: PlannedImport<Turn>;
  readonly contradictions: PlannedImport<Contradiction>;
  readonly journal: PlannedImport<JournalEntry>;
}

/**
 * What an import would change. Nothing that is there is ever removed, and to import once more changes nothing.
 *
 * Where an id is there with other content:
 * - A memory: the one that was seen later stays, then the one that ended or was put away later, since a memory only
 *   moves on from being current to that; what is there, where neither tells. How often it was used is no content.
 * - A turn: what was said stays as it is here. Only marks of what is outdated are taken over where it has none.
 * - A contradiction: settled goes before open, then the later decision, then what is there.
 * - An entry of the journal is never rewritten.
 *
 * Planned in steps, between which other tasks may run.
 */
export function* planImport(existing: ExistingById, exported: MemoryExport): Generator<undefined, ImportPlan> {
  return {
    memories: yield* plan(exported.memories, existing.memories, isSameMemory, judgeMemory),
    turns: yield* plan(exported.turns, existing.turns, sameJson, judgeTurn),
    contradictions: yield* plan(exported.contradictions, existing.contradictions, sameJson, judgeContradiction),
    journal: yield* plan(exported.journal ?? [], existing.journal, sameJson, () =>
      here("The journal is not rewritten."),
    ),
  };
}

/** What is to be written: what is new, and what is newer. */
export function itemsToWrite<T>({ toAdd, conflicting }: PlannedImport<T>): readonly T[] {
  return [...toAdd, ...conflicting.flatMap(({ keep, imported }) => (keep === "imported" ? [imported] : []))];
}

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

/** How often it was used, and by which words it was asked for, is no content. */
function isSameMemory(a: Memory, b: Memory): boolean {
  const [{ usage: _, heard: __, ...left }, { usage: ___, heard: ____, ...right }] = [a, b];
  return sameJson(left, right);
}

function judgeMemory(existing: Memory, imported: Memory): Verdict {
  if (imported.lastSeenAt !== existing.lastSeenAt) {
    return imported.lastSeenAt > existing.lastSeenAt ? there("It was seen later.") : here("It was seen later.");
  }
  const [ended, knownEnd] = [endOf(imported), endOf(existing)];
  if (ended !== knownEnd) return ended > knownEnd ? there("It ended since.") : here("It ended since.");
  return here("Neither is newer; what is there stays.");
}

/** When a memory was closed or put away; before all times where it is current. */
function endOf({ validTo, archivedAt }: Memory): number {
  return Math.max(validTo ?? Number.NEGATIVE_INFINITY, archivedAt ?? Number.NEGATIVE_INFINITY);
}

function judgeTurn(existing: Turn, imported: Turn): Verdict {
  const isMarked = existing.staleSince !== undefined || existing.staleSpans !== undefined;
  const { staleSince: _, staleSpans: __, marks: ___, ...said } = imported;
  return !isMarked && sameJson(said, existing)
    ? there("It is known to be outdated.")
    : here("What was said is not rewritten.");
}

function judgeContradiction(existing: Contradiction, imported: Contradiction): Verdict {
  const [decided, known] = [decidedAt(imported), decidedAt(existing)];
  if (decided === known) return here("Neither is newer; what is there stays.");
  return decided > known ? there("It was settled later.") : here("It was settled later.");
}

function decidedAt({ status, resolvedAt }: Contradiction): number {
  return status === "open" ? Number.NEGATIVE_INFINITY : (resolvedAt ?? 0);
}

function here(reason: string): Verdict {
  return { keep: "existing", reason };
}

function there(reason: string): Verdict {
  return { keep: "imported", reason };
}
