import type { Memory } from "../../../ports/memory.ts";
import type { MemoryFilter, MemoryUse } from "../../../ports/memory-store.ts";
import type { Database } from "../database.ts";
import { atMost, beginningWith } from "../key-range.ts";
import type { MemoryRow, Tables } from "../tables.ts";
import { lookupKey } from "./memory-row.ts";

/** Rows that are read at once where not all of them may be wanted. */
const PAGE = 1_000;

/** Memories by id, in the order of `ids`. */
export async function memoriesById({ memory }: Tables, space: string, ids: readonly string[]): Promise<Memory[]> {
  const rows = await memory.bulkGet(ids.map((id) => [space, id]));
  return rows.flatMap((row) => row?.memory ?? []);
}

export async function listMemories({ memory: table }: Tables, space: string, filter: MemoryFilter): Promise<Memory[]> {
  const { limit = Number.POSITIVE_INFINITY } = filter;
  const { index, key } = indexFor(filter);
  const found: Memory[] = [];
  let { after } = filter;
  while (found.length < limit) {
    const rows = await atMost(beginningWith(table, index, [space, ...key], after), PAGE);
    found.push(...rows.filter((row) => isWanted(row, filter)).map(({ memory }) => memory));
    if (rows.length < PAGE) break;
    after = rows.at(-1)?.id;
  }
  return found.slice(0, Math.max(0, limit));
}

/** The index that has the fewest rows of what is asked for, in the order of their ids. */
function indexFor({ slot, sessionId, categorised, current }: MemoryFilter): {
  index: string;
  key: (string | number)[];
} {
  if (slot !== undefined) return { index: "[space+slotKey+id]", key: [lookupKey(slot)] };
  if (sessionId !== undefined) return { index: "[space+lastSeenConversationId+id]", key: [sessionId] };
  if (categorised) return { index: "[space+ofChat+id]", key: [1] };
  if (current) return { index: "[space+current+id]", key: [1] };
  return { index: "[space+id]", key: [] };
}

function isWanted(row: MemoryRow, { slot, sessionId, categorised = false, current = false }: MemoryFilter): boolean {
  return (
    (slot === undefined || row.slot === slot) &&
    (sessionId === undefined || row.lastSeenConversationId === sessionId) &&
    (!categorised || row.ofChat === 1) &&
    (!current || row.current === 1)
  );
}

export async function relatedMemories(
  { memory: table }: Tables,
  space: string,
  { slots, fingerprint }: { readonly slots: readonly string[]; readonly fingerprint: string },
): Promise<Memory[]> {
  const lookUp = (index: string, text: string) => beginningWith(table, index, [space, lookupKey(text)]).toArray();
  const found = await Promise.all([
    lookUp("[space+fingerprintKey+id]", fingerprint),
    ...[...new Set(slots)].map((slot) => lookUp("[space+slotKey+id]", slot)),
  ]);
  const isRelated = ({ slot, ...row }: MemoryRow) =>
    row.current === 1 && (row.fingerprint === fingerprint || (slot !== undefined && slots.includes(slot)));
  const related = new Map(found.flat().flatMap((row) => (isRelated(row) ? [[row.id, row.memory]] : [])));
  return [...related.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

export function countUse(
  database: Database,
  space: string,
  ids: readonly string[],
  { use, at }: { readonly use: MemoryUse; readonly at: number },
): Promise<unknown> {
  return database.write(["memory"], async ({ memory: table }) => {
    const rows = await table.bulkGet([...new Set(ids)].map((id) => [space, id]));
    const used = rows.flatMap((row) => (row === undefined ? [] : [{ ...row, memory: withUse(row.memory, use, at) }]));
    await table.bulkPut(used);
    return used.length > 0;
  });
}

function withUse(memory: Memory, use: MemoryUse, at: number): Memory {
  const { usage } = memory;
  const lastAccessedAt = Math.max(at, usage.lastAccessedAt ?? at);
  return { ...memory, usage: { ...usage, [use]: usage[use] + 1, lastAccessedAt } };
}
