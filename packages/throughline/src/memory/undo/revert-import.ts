import { checkOptions, FLAG } from "../../errors/check-options.ts";
import { ForbiddenError } from "../../errors/memory-errors.ts";
import type { Contradiction, Memory, Utterance } from "../../ports/memory.ts";
import type { JournalChange, JournalEntry, MemoryCommit } from "../../ports/memory-store.ts";
import type { MemoryContext } from "../memory-context.ts";
import { isPlaceOf, marksLeft, restingOn, withoutSources } from "../purge-memory.ts";
import type { SearchSpaces } from "../search/search-spaces.ts";
import { indexMemory, writeEntries, writeMarks } from "../space/index-memory.ts";
import { assertWritable, spaceOf, visibleSpaces } from "../space/spaces.ts";
import { untilWritten } from "../space/write-changes.ts";
import type { ImportRecord } from "./import-record.ts";
import { digestOf, isMemory, isTurn } from "./journal-entry.ts";

/** Number of the latest journal entries in which consolidations are found. */
const MAX_JOURNAL = 2_000;

/** A memory that stays although an import that it comes from is undone. */
export interface KeptMemory {
  readonly id: string;
  readonly text: string;
  /** `changed`: it was changed since. `other-sources`: it also comes from elsewhere. */
  readonly reason: "changed" | "other-sources";
}

/** The memory part of an undone import. */
export interface RevertedMemories {
  /** Ids of erased memories. */
  readonly erased: readonly string[];
  /** Ids of memories that are as they were before the import. */
  readonly restored: readonly string[];
  /** Number of erased turns. */
  readonly turns: number;
  readonly kept: readonly KeptMemory[];
}

/**
 * Erases the memories and turns that an import added, and restores those that it changed. Memories that were changed
 * since stay, without the sources that the import added. Atomic in each space.
 *
 * @throws ForbiddenError if the import wrote to a space that the caller does not see; then nothing changes.
 */
export async function revertImport(
  context: MemoryContext,
  search: SearchSpaces,
  record: ImportRecord,
  options: { readonly dryRun?: boolean } = {},
): Promise<RevertedMemories> {
  checkOptions("memory.revertImport", options, { dryRun: FLAG });
  const { dryRun = false } = options;
  const spaces = visibleSpaces(context).toReversed();
  for (const space of Object.keys(record.entries)) if (!spaces.includes(space)) throw notVisible(space);
  const reverted: RevertedMemories[] = [];
  // Shared memories first: after a crash in between, the turns that list the rest still exist.
  for (const space of spaces) {
    const plan = dryRun
      ? await planRevert(context, space, record)
      : await untilWritten(context, space, (revision) => revertSpace(context, search, record, { space, revision }));
    reverted.push(plan.result);
  }
  return {
    erased: reverted.flatMap(({ erased }) => erased),
    restored: reverted.flatMap(({ restored }) => restored),
    turns: reverted.reduce((sum, { turns }) => sum + turns, 0),
    kept: reverted.flatMap(({ kept }) => kept),
  };
}

function notVisible(space: string): ForbiddenError {
  return new ForbiddenError(
    `the imported memories in ${space}`,
    "Undo the import with access to all projects that it wrote to.",
  );
}

/** Changes in a space that revert an import. */
interface RevertPlan {
  readonly erasedTurns: readonly Utterance[];
  /** Restored memories, and kept ones without their erased sources. */
  readonly memories: readonly Memory[];
  readonly contradictions: readonly Contradiction[];
  readonly turns: readonly Utterance[];
  readonly result: RevertedMemories;
}

async function revertSpace(
  context: MemoryContext,
  search: SearchSpaces,
  record: ImportRecord,
  { space, revision }: { readonly space: string; readonly revision: number },
): Promise<RevertPlan | undefined> {
  const plan = await planRevert(context, space, record);
  const { erasedTurns, memories, contradictions, turns, result } = plan;
  const erasedIds = [...result.erased, ...erasedTurns.map(({ id }) => id)];
  if (erasedIds.length + memories.length + contradictions.length + turns.length === 0) return plan;
  assertWritable(space, context);
  const unmarked = await marksLeft(context, search, space, new Set(erasedIds));
  const marked = [...new Map([...unmarked, ...turns].map((turn) => [turn.id, turn])).values()];
  const write: MemoryCommit = {
    revision,
    memories: memories.map(indexMemory),
    contradictions,
    turns: marked,
    entries: [...(await writeEntries(context, memories, [])), ...(await writeMarks(context, space, marked))],
  };
  const turnIds = erasedTurns.map(({ id }) => id);
  const report = await context.memoryStore.erase(space, { memories: result.erased, turns: turnIds, write });
  return report && plan;
}

async function planRevert(context: MemoryContext, space: string, record: ImportRecord): Promise<RevertPlan> {
  const { memoryStore } = context;
  const entries = await memoryStore.get(space, "journal", record.entries[space] ?? []);
  const changes = await withConsolidations(context, space, netChanges(entries));
  const idsOf = (kind: JournalChange["kind"]) => changes.flatMap((change) => (change.kind === kind ? [change.id] : []));
  const isOwn = space === spaceOf("user-private", context);
  const erasedTurns = isOwn ? await memoryStore.get(space, "turns", record.turns) : [];
  const current = [
    ...(await memoryStore.get(space, "memories", idsOf("memory"))),
    ...(await memoryStore.get(space, "contradictions", idsOf("contradiction"))),
    ...(await memoryStore.get(space, "turns", idsOf("turn"))),
  ];
  const unchanged = unchangedSince(changes, current);
  const erased = [...unchanged].filter(([item, before]) => isMemory(item) && before === undefined);
  const restored = [...unchanged].flatMap(([item, before]) =>
    isMemory(item) && before !== undefined && isMemory(before) ? [{ ...before, usage: item.usage }] : [],
  );
  const erasedIds = new Set([...erased.map(([{ id }]) => id), ...erasedTurns.map(({ id }) => id)]);
  const left = await keptMemories(context, space, {
    erasedTurns,
    changed: new Set(idsOf("memory")),
    gone: erasedIds,
    restored,
  });
  return {
    erasedTurns,
    memories: [...restored, ...left.memories],
    contradictions: reopened(unchanged, erasedIds, context.clock.now()),
    turns: [...unchanged.values()].filter(
      (before) => before !== undefined && isTurn(before) && !erasedIds.has(before.id),
    ) as Utterance[],
    result: {
      erased: erased.map(([{ id }]) => id),
      restored: restored.map(({ id }) => id),
      turns: erasedTurns.length,
      kept: left.kept,
    },
  };
}

type Item = Memory | Contradiction | Utterance;

/** One change per item: its value before the first entry, its digest after the last one. */
function netChanges(entries: readonly JournalEntry[]): readonly JournalChange[] {
  const net = new Map<string, JournalChange>();
  for (const change of entries.flatMap(({ changes }) => changes)) {
    const name = `${change.kind} ${change.id}`;
    const first = net.get(name);
    net.set(name, first === undefined ? change : { ...first, after: change.after });
  }
  return [...net.values()];
}

/**
 * The changes of an import with those that consolidations made to its memories since: no user has changed them. Left
 * out are memories that others were merged into, because erasing them would lose the others.
 */
async function withConsolidations(
  { memoryStore }: MemoryContext,
  space: string,
  changes: readonly JournalChange[],
): Promise<readonly JournalChange[]> {
  if (changes.length === 0) return changes;
  const journal = await memoryStore.list(space, "journal", { limit: MAX_JOURNAL });
  const since = journal
    .filter(({ action }) => action === "consolidate")
    .toReversed()
    .flatMap((entry) => entry.changes.filter(({ kind }) => kind === "memory"));
  const net = new Map(changes.map((change) => [`${change.kind} ${change.id}`, change]));
  const others = since.flatMap(({ id }) => (net.has(`memory ${id}`) ? [] : [id]));
  const merged = await memoryStore.get(space, "memories", [...new Set(others)]);
  const survivors = new Set(merged.map(({ supersededBy }) => supersededBy));
  for (const { id, before, after } of since) {
    const known = net.get(`memory ${id}`);
    if (known === undefined || before === undefined || survivors.has(id) || digestOf(before) !== known.after) continue;
    net.set(`memory ${id}`, { ...known, after });
  }
  return [...net.values()];
}

/** Items that are as the import left them, with their value before it. */
function unchangedSince(changes: readonly JournalChange[], current: readonly Item[]): Map<Item, Item | undefined> {
  const byId = new Map(current.map((item) => [item.id, item]));
  return new Map(
    changes.flatMap(({ id, before, after }) => {
      const item = byId.get(id);
      return item !== undefined && digestOf(item) === after ? [[item, before] as const] : [];
    }),
  );
}

/** Contradictions as they were; those that the import opened between memories that stay are closed. */
function reopened(
  unchanged: ReadonlyMap<Item, Item | undefined>,
  erasedIds: ReadonlySet<string>,
  now: number,
): readonly Contradiction[] {
  return [...unchanged].flatMap(([item, before]): Contradiction[] => {
    if (!isContradiction(item) || erasedIds.has(item.memoryA) || erasedIds.has(item.memoryB)) return [];
    if (before !== undefined) return isContradiction(before) ? [before] : [];
    if (item.status === "resolved") return [];
    return [{ ...item, status: "resolved", resolvedAt: now, resolution: "both_valid", note: "The import was undone." }];
  });
}

/** Memories that stay although they come from erased turns, without these sources. */
async function keptMemories(
  context: MemoryContext,
  space: string,
  about: {
    readonly erasedTurns: readonly Utterance[];
    readonly changed: ReadonlySet<string>;
    readonly gone: ReadonlySet<string>;
    readonly restored: readonly Memory[];
  },
): Promise<{ readonly memories: readonly Memory[]; readonly kept: readonly KeptMemory[] }> {
  const { erasedTurns, changed, gone: erasedIds, restored } = about;
  const byPlace = Map.groupBy(erasedTurns, ({ sessionId, messageId, id }) => `${sessionId}\n${messageId ?? id}`);
  const isErased: Parameters<typeof withoutSources>[1] = (source) =>
    (byPlace.get(`${source.sessionId}\n${source.messageId}`) ?? []).some((turn) => isPlaceOf(source, turn));
  const resting = erasedTurns.length === 0 ? [] : await restingOn(context, space, isErased);
  const isHandled = new Set([...erasedIds, ...restored.map(({ id }) => id)]);
  const changedSince = await context.memoryStore.get(space, "memories", [...changed]);
  const staying = new Map([...resting, ...changedSince].map((memory) => [memory.id, memory]));
  const kept = [...staying.values()].filter(({ id }) => !isHandled.has(id));
  const stripped = new Set(resting.map(({ id }) => id));
  return {
    memories: kept.filter(({ id }) => stripped.has(id)).map((memory) => withoutSources(memory, isErased)),
    kept: kept.map(({ id, levels }) => {
      return { id, text: levels.full, reason: changed.has(id) ? "changed" : "other-sources" };
    }),
  };
}

function isContradiction(item: Item): item is Contradiction {
  return "memoryA" in item;
}
