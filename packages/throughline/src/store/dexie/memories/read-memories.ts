import type { Memory } from "../../../ports/memory.ts";
import type { MemoryFilter, MemoryRecord, MemoryUse } from "../../../ports/memory-store.ts";
import { countsOf } from "../../../ports/memory-store.ts";
import { isSelected, memoryOrder } from "../../memory-filters.ts";
import { atMost, beginningWith } from "../key-range.ts";
import type { MemoryRow, Tables } from "../tables.ts";
import { lookupKey } from "./memory-row.ts";

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
