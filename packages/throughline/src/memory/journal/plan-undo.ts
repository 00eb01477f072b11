import type { Contradiction, Memory } from "../../ports/memory.ts";
import type { JournalChange, JournalEntry } from "../../ports/memory-shelf.ts";
import { digestContradiction, digestMemory } from "./digest.ts";

/** Why a contradiction counts as settled that was opened by what is undone. */
const NOTE = "What opened it was undone.";

/** Something that is not as the entry left it: somebody has changed it since, or erased it. */
interface UndoObstacle {
  readonly kind: JournalChange["kind"];
  readonly id: string;
  readonly reason: "changed" | "erased";
}

/** What undoing writes, or what stands in its way. */
export type UndoPlan =
  | { readonly kind: "undo"; readonly memories: readonly Memory[]; readonly contradictions: readonly Contradiction[] }
  | { readonly kind: "refused"; readonly obstacles: readonly UndoObstacle[] };

/**
 * Puts back what an entry of the journal changed: each memory exactly as it was, with today's counts of use. Nothing is
 * deleted: a memory that the entry brought is put away, and a contradiction that it opened is settled as `both_valid`, so
 * that it is not opened again by itself. All of it or nothing: where anything has changed since, undoing is refused.
 * The entry of an undo can be undone like any other, which does again what was undone.
 *
 * @example
 * const plan = planUndo(entry, memories, contradictions, Date.now());
 * if (plan.kind === "refused") console.log(plan.obstacles);
 */
export function planUndo(
  entry: JournalEntry,
  memories: readonly Memory[],
  contradictions: readonly Contradiction[],
  now: number,
): UndoPlan {
  const current = {
    memory: new Map(memories.map((memory) => [memory.id, memory])),
    contradiction: new Map(contradictions.map((contradiction) => [contradiction.id, contradiction])),
  };
  const restored = { memories: [] as Memory[], contradictions: [] as Contradiction[] };
  const obstacles: UndoObstacle[] = [];
  for (const change of entry.changes) {
    const { kind, id } = change;
    const memory = kind === "memory" ? current.memory.get(id) : undefined;
    const contradiction = kind === "contradiction" ? current.contradiction.get(id) : undefined;
    const reason = obstacleOf(change, memory ?? contradiction);
    if (reason !== undefined) obstacles.push({ kind, id, reason });
    else if (memory !== undefined) restored.memories.push(...restoreMemory(change, memory, now));
    else if (contradiction !== undefined)
      restored.contradictions.push(...restoreContradiction(change, contradiction, now));
  }
  return obstacles.length > 0 ? { kind: "refused", obstacles } : { kind: "undo", ...restored };
}

function obstacleOf(
  { after }: JournalChange,
  current: Memory | Contradiction | undefined,
): UndoObstacle["reason"] | undefined {
  if (current === undefined) return "erased";
  const digest = isMemory(current) ? digestMemory(current) : digestContradiction(current);
  return digest === after ? undefined : "changed";
}

function restoreMemory({ before }: JournalChange, current: Memory, now: number): readonly Memory[] {
  if (before !== undefined) return isMemory(before) ? [{ ...before, usage: current.usage }] : [];
  return current.archivedAt === undefined ? [{ ...current, archivedAt: now }] : [];
}

function restoreContradiction(
  { before }: JournalChange,
  current: Contradiction,
  now: number,
): readonly Contradiction[] {
  if (before !== undefined) return isMemory(before) ? [] : [before];
  if (current.status === "resolved") return [];
  return [{ ...current, status: "resolved", resolvedAt: now, resolution: "both_valid", note: NOTE }];
}

function isMemory(item: Memory | Contradiction): item is Memory {
  return "levels" in item;
}
