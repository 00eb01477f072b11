import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Memory, Turn } from "../../ports/memory.ts";
import type { JournalChange, JournalEntry } from "../../ports/memory-store.ts";
import { digestContradiction, digestMemory, digestTurn } from "./digest.ts";
import type { Holdings } from "./journal-entry.ts";

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
  | {
      readonly kind: "undo";
      readonly memories: readonly Memory[];
      readonly contradictions: readonly Contradiction[];
      readonly turns: readonly Turn[];
    }
  | { readonly kind: "refused"; readonly obstacles: readonly UndoObstacle[] };

/**
 * Puts back what an entry of the journal changed: each memory exactly as it was, with today's counts of use, and each
 * turn. Nothing is deleted: a memory that the entry brought is put away, and a contradiction that it opened is settled as
 * `both_valid`, so that it is not opened again by itself. All of it or nothing: where anything has changed since, undoing is
 * refused. The entry of an undo can be undone like any other, which does again what was undone. Planned in steps, between
 * which other tasks may run.
 *
 * @example
 * const plan = runSteps(planUndo(entry, { memories, contradictions, turns }, Date.now()));
 * if (plan.kind === "refused") console.log(plan.obstacles);
 */
export function* planUndo(
  entry: JournalEntry,
  { memories, contradictions, turns }: Holdings,
  now: number,
): Generator<undefined, UndoPlan> {
  const current = { memory: byId(memories), contradiction: byId(contradictions), turn: byId(turns) };
  const restored = { memories: [] as Memory[], contradictions: [] as Contradiction[], turns: [] as Turn[] };
  const obstacles: UndoObstacle[] = [];
  for (const change of entry.changes) {
    const { kind, id } = change;
    const memory = kind === "memory" ? current.memory.get(id) : undefined;
    const contradiction = kind === "contradiction" ? current.contradiction.get(id) : undefined;
    const turn = kind === "turn" ? current.turn.get(id) : undefined;
    const reason = obstacleOf(change, memory ?? contradiction ?? turn);
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

function obstacleOf(
  { after, before }: JournalChange,
  current: Memory | Contradiction | Turn | undefined,
): UndoObstacle["reason"] | undefined {
  if (current === undefined) return "erased";
  if (digestOf(current) === after) return undefined;
  // What had outdated a turn may be erased: then it is as it was already.
  const isRestored = before !== undefined && isTurn(before) && digestOf(current) === digestOf(before);
  return isRestored ? undefined : "changed";
}

function digestOf(item: Memory | Contradiction | Turn): string {
  if (isMemory(item)) return digestMemory(item);
  return isTurn(item) ? digestTurn(item) : digestContradiction(item);
}

function restoreMemory({ before }: JournalChange, current: Memory, now: number): readonly Memory[] {
  if (before !== undefined) return isMemory(before) ? [{ ...before, usage: current.usage }] : [];
  return current.archivedAt === undefined ? [{ ...current, archivedAt: now }] : [];
}

/** What is still to be remembered of it stays so. */
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
  return [{ ...current, status: "resolved", resolvedAt: now, resolution: "both_valid", note: NOTE }];
}

function isMemory(item: Memory | Contradiction | Turn): item is Memory {
  return "levels" in item;
}

function isTurn(item: Memory | Contradiction | Turn): item is Turn {
  return "sessionId" in item;
}
