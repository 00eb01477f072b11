import type { Contradiction, Memory } from "../../ports/memory.ts";
import {
  type ContradictionFilter,
  countsOf,
  type JournalEntry,
  type JournalFilter,
  type MemoryFilter,
  type MemoryRecord,
  type MemoryUse,
} from "../../ports/memory-store.ts";
import { hasChange, isSelected, memoryOrder, selectContradictions } from "../memory-rules.ts";
import { lookupKey } from "./commit-memories.ts";
import { atMost, beginningWith, type ContradictionRow, type MemoryRow, type Tables } from "./tables.ts";

/** Rows per batch if some of them may be filtered out. */
const PAGE = 1_000;

/** Memories by id, in the order of `ids`. */
export async function memoriesById({ memory }: Tables, space: string, ids: readonly string[]): Promise<Memory[]> {
  const rows = await memory.bulkGet(ids.map((id) => [space, id]));
  return rows.flatMap((row) => row?.memory ?? []);
}

/** In the order of the filter. */
export async function listMemories(
  { memory: table }: Tables,
  space: string,
  filter: MemoryFilter = {},
): Promise<Memory[]> {
  if (filter.matchAny !== undefined) return matchingMemories(table, space, filter);
  const { lastSeenFirst = false, limit = Number.POSITIVE_INFINITY } = filter;
  if (!lastSeenFirst) return memoriesInOrder(table, space, filter, limit);
  const all = await memoriesInOrder(table, space, filter, Number.POSITIVE_INFINITY);
  return all.sort(memoryOrder(filter)).slice(0, Math.max(0, limit));
}

/** Sorted by id. */
async function memoriesInOrder(
  table: Tables["memory"],
  space: string,
  filter: MemoryFilter,
  limit: number,
): Promise<Memory[]> {
  const { index, key } = indexFor(filter);
  const found: Memory[] = [];
  let { after } = filter;
  while (found.length < limit) {
    const rows = await atMost(beginningWith(table, index, [space, ...key], after), PAGE);
    found.push(...rows.map(({ memory }) => memory).filter((memory) => isSelected(memory, filter)));
    if (rows.length < PAGE) break;
    after = rows.at(-1)?.id;
  }
  return found.slice(0, Math.max(0, limit));
}

/** The most selective index for a query, sorted by id. */
function indexFor({ sessionId, categorized, current }: MemoryFilter): {
  index: string;
  key: (string | number)[];
} {
  if (sessionId !== undefined) return { index: "[space+lastSeenConversationId+id]", key: [sessionId] };
  if (categorized) return { index: "[space+ofChat+id]", key: [1] };
  if (current) return { index: "[space+current+id]", key: [1] };
  return { index: "[space+id]", key: [] };
}

/** Memories that have one of the slots or fingerprints of `matchAny` and meet the other conditions. */
async function matchingMemories(table: Tables["memory"], space: string, filter: MemoryFilter): Promise<Memory[]> {
  const { slots = [], fingerprints = [] } = filter.matchAny ?? {};
  const lookUp = (index: string, texts: readonly string[]) =>
    [...new Set(texts)].map((text) => beginningWith(table, index, [space, lookupKey(text)]).toArray());
  const found = await Promise.all([
    ...lookUp("[space+fingerprintKey+id]", fingerprints),
    ...lookUp("[space+slotKey+id]", slots),
  ]);
  // An index has only the first characters of a text.
  const matches = ({ slot, fingerprint }: MemoryRow) =>
    fingerprints.includes(fingerprint) || (slot !== undefined && slots.includes(slot));
  const rows = found.flat().filter((row) => matches(row) && isSelected(row.memory, filter));
  const memories = [...new Map(rows.map(({ id, memory }) => [id, memory])).values()];
  return memories.sort(memoryOrder(filter)).slice(0, Math.max(0, filter.limit ?? memories.length));
}

/** Counts a use for each id. Resolves to the number of existing memories. */
export async function countUses(
  { memory: table }: Tables,
  space: string,
  { ids, use, at }: NonNullable<MemoryRecord["uses"]>,
): Promise<number> {
  const times = countsOf(ids);
  const rows = await table.bulkGet([...times.keys()].map((id) => [space, id]));
  const used = rows.flatMap((row) =>
    row === undefined ? [] : [{ ...row, memory: withUses(row.memory, use, at, times.get(row.id) ?? 0) }],
  );
  await table.bulkPut(used);
  return used.length;
}

function withUses(memory: Memory, use: MemoryUse, at: number, times: number): Memory {
  const { usage } = memory;
  const lastAccessedAt = Math.max(at, usage.lastAccessedAt ?? at);
  return { ...memory, usage: { ...usage, [use]: usage[use] + times, lastAccessedAt } };
}

/** Newest first. */
export async function listJournal(
  { journal }: Tables,
  space: string,
  { of, limit }: JournalFilter = {},
): Promise<JournalEntry[]> {
  const newest = beginningWith(journal, "[space+revision+position]", [space]).reverse();
  const wanted = of === undefined ? newest : newest.filter(({ entry }) => hasChange(entry, of));
  const rows = await atMost(wanted, limit);
  return rows.map(({ entry }) => entry);
}

/** In the order of `ids`. */
export async function journalById({ journal }: Tables, space: string, ids: readonly string[]): Promise<JournalEntry[]> {
  const rows = await journal.bulkGet(ids.map((id) => [space, id]));
  return rows.flatMap((row) => row?.entry ?? []);
}

/** In the order of `ids`. */
export async function contradictionsById(
  { contradictions }: Tables,
  space: string,
  ids: readonly string[],
): Promise<Contradiction[]> {
  const rows = await contradictions.bulkGet(ids.map((id) => [space, id]));
  return rows.flatMap((row) => row?.contradiction ?? []);
}

/** Oldest first. */
export async function listContradictions(
  tables: Tables,
  space: string,
  filter: ContradictionFilter = {},
): Promise<Contradiction[]> {
  const rows = await candidates(tables, space, filter);
  // A contradiction of two of these memories is found twice.
  const found = new Map(rows.map(({ id, contradiction }) => [id, contradiction]));
  return selectContradictions(found.values(), filter);
}

async function candidates(
  { contradictions }: Tables,
  space: string,
  { status, of }: ContradictionFilter,
): Promise<ContradictionRow[]> {
  if (of !== undefined) return contradictionsOf({ contradictions }, space, of);
  if (status !== undefined) return beginningWith(contradictions, "[space+status]", [space, status]).toArray();
  return beginningWith(contradictions, "[space+id]", [space]).toArray();
}

/** Contradictions that involve one of these memories. May contain duplicates. */
export async function contradictionsOf(
  { contradictions }: Pick<Tables, "contradictions">,
  space: string,
  memories: readonly string[],
): Promise<ContradictionRow[]> {
  const keys = [...new Set(memories)].map((id) => [space, id]);
  const having = (side: string) => contradictions.where(`[space+${side}]`).anyOf(keys).toArray();
  return [...(await having("memoryA")), ...(await having("memoryB"))];
}
