import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Memory, Turn } from "../../ports/memory.ts";
import type { JournalChange, JournalEntry } from "../../ports/memory-store.ts";
import { digestOf, isMemory, isTurn } from "./digest.ts";
import type { MemorySnapshot } from "./journal-entry.ts";

/** Note on a contradiction that the undone entry had opened. */
const UNDONE_NOTE = "The change that opened it was undone.";

/** An item that was changed or purged after the entry was written. */
interface UndoConflict {
  readonly kind: JournalChange["kind"];
  readonly id: string;
  readonly reason: "changed" | "erased";
}

/** Changes that an undo writes, or the conflicts that prevent it. */
export type UndoPlan =
  | {
      readonly kind: "undo";
      readonly memories: readonly Memory[];
      readonly contradictions: readonly Contradiction[];
      readonly turns: readonly Turn[];
    }
  | { readonly kind: "refused"; readonly obstacles: readonly UndoConflict[] };

/**
 * Plans the undo of a journal entry. Each changed item gets its previous version back; memories keep their current
 * usage counts. Nothing is deleted: a memory that the entry added is archived, and a contradiction that it opened is
 * resolved as `both_valid`, so that consolidation does not open it again. If any item has changed since, the whole undo
 * is refused. An undo has its own journal entry, and undoing that repeats the original change. Yields between items, so
 * that the caller can let other tasks run.
 *
 * @example
 * const plan = runSteps(planUndo(entry, { memories, contradictions, turns }, Date.now()));
 * if (plan.kind === "refused") console.log(plan.obstacles);
 */
export function* planUndo(
  entry: JournalEntry,
  { memories, contradictions, turns }: MemorySnapshot,
  now: number,
): Generator<undefined, UndoPlan> {
  const current = { memory: byId(memories), contradiction: byId(contradictions), turn: byId(turns) };
  const restored = { memories: [] as Memory[], contradictions: [] as Contradiction[], turns: [] as Turn[] };
  const obstacles: UndoConflict[] = [];
  for (const change of entry.changes) {
    const { kind, id } = change;
    const memory = kind === "memory" ? current.memory.get(id) : undefined;
    const contradiction = kind === "contradiction" ? current.contradiction.get(id) : undefined;
    const turn = kind === "turn" ? current.turn.get(id) : undefined;
    const reason = conflictReason(change, memory ?? contradiction ?? turn);
    if (reason !== undefined) obstacles.push({ kind, id, reason });
    else if (memory !== undefined) restored.memories.push(...restoreMemory(change, memory, now));
    else if (turn !== undefined) restored.turns.push(...restoreTurn(change, turn));
    else if (contradiction !== undefined)
      restored.contradictions.push(...restoreContradiction(change, contradiction, now));
    yield;
  }
  return obstacles.length > 0 ? { kind: "refused", obstacles } : { kind: "undo", ...restored };
}

function byId<T extends { readonly id: string }>(items: Iterable<T> = []): ReadonlyMap<string, T> {
  return new Map(Array.from(items, (item) => [item.id, item]));
}

function conflictReason(
  { after, before }: JournalChange,
  current: Memory | Contradiction | Turn | undefined,
): UndoConflict["reason"] | undefined {
  if (current === undefined) return "erased";
  if (digestOf(current) === after) return undefined;
  // Purging the memory that had outdated a turn removes the mark, so the turn may have its previous version already.
  const isRestored = before !== undefined && isTurn(before) && digestOf(current) === digestOf(before);
  return isRestored ? undefined : "changed";
}

function restoreMemory({ before }: JournalChange, current: Memory, now: number): readonly Memory[] {
  if (before !== undefined) return isMemory(before) ? [{ ...before, usage: current.usage }] : [];
  return current.archivedAt === undefined ? [{ ...current, archivedAt: now }] : [];
}

/** Keeps the current pending facts: the entry did not change them. */
function restoreTurn({ before }: JournalChange, { pending }: Turn): readonly Turn[] {
  return before !== undefined && isTurn(before) ? [omitUndefined({ ...before, pending })] : [];
}

function restoreContradiction(
  { before }: JournalChange,
  current: Contradiction,
  now: number,
): readonly Contradiction[] {
  if (before !== undefined) return isMemory(before) || isTurn(before) ? [] : [before];
  if (current.status === "resolved") return [];
  return [{ ...current, status: "resolved", resolvedAt: now, resolution: "both_valid", note: UNDONE_NOTE }];
}
