import { AT_LEAST_ZERO, checkOptions } from "../../errors/check-options.ts";
import { UndoRefusedError } from "../../errors/memory-errors.ts";
import { NotFoundError } from "../../errors/store-errors.ts";
import { omitUndefined } from "../../internal/json.ts";
import { runStepsYielding, yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { Contradiction, Memory, Utterance } from "../../ports/memory.ts";
import type { JournalChange, JournalEntry, JournalFilter } from "../../ports/memory-store.ts";
import { newId } from "../ids.ts";
import type { MemoryContext } from "../memory-context.ts";
import { assertWritable, isVisible, visibleSpaces } from "../space/spaces.ts";
import { changeSpace, type Plan } from "../space/write-changes.ts";
import { digestOf, isMemory, isTurn, type MemorySnapshot, mergeEntries } from "./journal-entry.ts";

const DEFAULT_LIMIT = 50;

/** Result of an undo. */
export interface Undone {
  /** Restored memories. */
  readonly memories: readonly Memory[];
  /** Journal entry of the undo. Undoing it repeats the original changes. Missing if nothing changed. */
  readonly journalId?: string;
}

/** Lists journal entries whose changes the caller may see, newest first. Default limit: 50. */
export async function readJournal(
  context: MemoryContext,
  options: Pick<JournalFilter, "limit"> = {},
): Promise<readonly JournalEntry[]> {
  checkOptions("memory.journal", options, { limit: AT_LEAST_ZERO });
  const { limit = DEFAULT_LIMIT } = options;
  const found = await Promise.all(visibleSpaces(context).map((space) => readSpace(context, space, limit)));
  return mergeEntries(found.flat())
    .toSorted((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1))
    .slice(0, limit);
}

/** The newest visible entries of a space. Reads more pages if entries of other projects are in between. */
async function readSpace(context: MemoryContext, space: string, limit: number): Promise<readonly JournalEntry[]> {
  for (let looked = limit; ; looked *= 4) {
    const entries = await context.memoryStore.list(space, "journal", { limit: looked });
    const hidden = await hiddenIds(context, space, entries);
    const seen = entries.filter(({ changes }) => !changes.some(({ id }) => hidden.has(id)));
    if (seen.length >= limit || entries.length < looked) return seen.slice(0, limit);
  }
}

/** An interrupted undo that was committed in some spaces only. */
export interface InterruptedUndo {
  /** Journal entry of the undo. */
  readonly journalId: string;
  /** Spaces in which the undo is committed. */
  readonly spaces: readonly string[];
}

/** Reverts the changes of a journal entry in all spaces, or completes an interrupted undo. */
export async function undoEntry(
  context: MemoryContext,
  journalId: string,
  interrupted?: InterruptedUndo,
): Promise<Undone> {
  const undoId = interrupted?.journalId ?? newId("jrn", context.clock.now());
  const all = await findEntry(context, journalId);
  const found = all.filter(({ space }) => interrupted?.spaces.includes(space) !== true);
  if (all.length === 0) throw new NotFoundError(`Journal entry ${journalId}`, "here");
  // Check all spaces before the first write, so that a refused undo changes nothing.
  for (const { space, entry } of found) {
    assertWritable(space, context);
    await planEntry(context, space, entry);
  }
  const memories: Memory[] = [];
  let isChanged = false;
  for (const { space, entry } of found) {
    const { written } = await changeSpace(context, space, "undo", () => planEntry(context, space, entry), undoId);
    memories.push(...written.memories);
    isChanged ||= written.journalId !== undefined;
  }
  return isChanged ? { memories, journalId: undoId } : { memories };
}

async function findEntry(
  context: MemoryContext,
  journalId: string,
): Promise<readonly { readonly space: string; readonly entry: JournalEntry }[]> {
  const found = await Promise.all(
    visibleSpaces(context).map(async (space) => {
      const [entry] = await context.memoryStore.get(space, "journal", [journalId]);
      const isHidden = entry === undefined || (await hiddenIds(context, space, [entry])).size > 0;
      return isHidden ? [] : [{ space, entry }];
    }),
  );
  return found.flat();
}

async function planEntry(context: MemoryContext, space: string, entry: JournalEntry): Promise<Plan<undefined>> {
  const ids = (kind: string) => entry.changes.filter((change) => change.kind === kind).map(({ id }) => id);
  const [memories, contradictions, turns] = await Promise.all([
    context.memoryStore.get(space, "memories", ids("memory")),
    context.memoryStore.get(space, "contradictions", ids("contradiction")),
    context.memoryStore.get(space, "turns", ids("turn")),
  ]);
  await yieldToEventLoop();
  const plan = await runStepsYielding(planUndo(entry, { memories, contradictions, turns }, context.clock.now()));
  if (plan.kind === "refused") {
    throw new UndoRefusedError(
      entry.id,
      plan.obstacles.map(({ id }) => id),
    );
  }
  const { memories: restored, contradictions: reopened, turns: marked } = plan;
  return { memories: restored, contradictions: reopened, marked, undoes: entry.id, result: undefined };
}

/** Ids of memories and turns that the caller may not see, and of contradictions that involve them. */
async function hiddenIds(
  context: MemoryContext,
  space: string,
  entries: readonly JournalEntry[],
): Promise<ReadonlySet<string>> {
  const changes = entries.flatMap((entry) => entry.changes);
  const idsOf = (kind: string) => [...new Set(changes.filter((change) => change.kind === kind).map(({ id }) => id))];
  const disputed = idsOf("contradiction");
  const contradictions = disputed.length === 0 ? [] : await context.memoryStore.get(space, "contradictions", disputed);
  const ids = [...idsOf("memory"), ...contradictions.flatMap(({ memoryA, memoryB }) => [memoryA, memoryB])];
  const memories = ids.length === 0 ? [] : await context.memoryStore.get(space, "memories", ids);
  const utterances = idsOf("turn");
  const turns = utterances.length === 0 ? [] : await context.memoryStore.get(space, "turns", utterances);
  const hidden = new Set([...memories, ...turns].filter((one) => !isVisible(one, context)).map(({ id }) => id));
  for (const { id, memoryA, memoryB } of contradictions) {
    if (hidden.has(memoryA) || hidden.has(memoryB)) hidden.add(id);
  }
  return hidden;
}

/** Note on a contradiction that the undone entry had opened. */
const UNDONE_NOTE = "The change that opened it was undone.";

/** An item that was changed or purged after the entry was written. */
interface UndoConflict {
  readonly kind: JournalChange["kind"];
  readonly id: string;
  readonly reason: "changed" | "erased";
}

/** Changes that an undo writes, or the conflicts that prevent it. */
type UndoPlan =
  | {
      readonly kind: "undo";
      readonly memories: readonly Memory[];
      readonly contradictions: readonly Contradiction[];
      readonly turns: readonly Utterance[];
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
  const restored = { memories: [] as Memory[], contradictions: [] as Contradiction[], turns: [] as Utterance[] };
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
  current: Memory | Contradiction | Utterance | undefined,
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
function restoreTurn({ before }: JournalChange, { pending }: Utterance): readonly Utterance[] {
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
