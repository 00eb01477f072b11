import { mapYielding, yieldToEventLoop } from "../../../internal/yield-to-event-loop.ts";
import type { Memory } from "../../../ports/memory.ts";
import type { MemoryFilter, MemoryUse } from "../../../ports/memory-store.ts";
import { searchedBy } from "../create-table.ts";
import type { DialectName } from "../dialect.ts";
import { lookupValue, openRows } from "../encryption/sealed-rows.ts";
import type { SqlDriver, SqlRow, SqlValue, StoreTransaction } from "../sql-driver.ts";
import { forLists, limited, selectIn } from "../statements.ts";
import { toStoredText } from "../stored-text.ts";
import { lookupKey } from "./lookup-key.ts";
import { ARTIFACTS, MEMORIES, MEMORY_COLUMNS, readMemoryRow, USAGE_COLUMNS } from "./memory-rows.ts";

const IS_CURRENT = "valid_to IS NULL AND archived_at IS NULL";

/** Memories by id, in the order of `ids`. */
export async function memoriesById(tx: StoreTransaction, space: string, ids: readonly string[]): Promise<Memory[]> {
  const text = (list: string) => `SELECT ${MEMORY_COLUMNS} FROM memories WHERE space = ? AND id IN (${list})`;
  const rows = await selectIn(tx, text, [space], [...new Set(ids)].map(toStoredText));
  const found = new Map((await assemble(tx, space, rows)).map((memory) => [memory.id, memory]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export async function listMemories(
  tx: StoreTransaction,
  dialect: DialectName,
  space: string,
  filter: MemoryFilter,
): Promise<Memory[]> {
  const { current = false, categorised = false, sessionId, slot, after, limit } = filter;
  const conditions: [text: string, ...params: SqlValue[]][] = [["space = ?", space]];
  if (slot !== undefined) conditions.push(["slot = ?", lookupValue(tx, "slot", space, lookupKey(slot))]);
  if (sessionId !== undefined) conditions.push(["session_id = ?", toStoredText(sessionId)]);
  if (categorised) conditions.push(["category IS NOT NULL"]);
  if (current) conditions.push([IS_CURRENT]);
  if (after !== undefined) conditions.push(["id > ?", toStoredText(after)]);
  const source = searchedBy(MEMORIES.name, indexFor(filter), dialect);
  const where = conditions.map(([text]) => text).join(" AND ");
  const params = conditions.flatMap(([, ...values]) => values);
  const select = `SELECT ${MEMORY_COLUMNS} FROM ${source} WHERE ${where} ORDER BY id`;
  return assemble(tx, space, await tx.all(...limited(select, params, limit)));
}

/** The index that has the fewest rows of what is asked for, in the order of their ids. */
function indexFor({ categorised, current, sessionId, slot }: MemoryFilter): string {
  if (slot !== undefined) return "memories_by_slot";
  if (sessionId !== undefined) return "memories_by_session";
  if (categorised && current) return "memories_of_chat";
  // That of the primary key, as SQLite calls it.
  return "sqlite_autoindex_memories_1";
}

/** How many are looked up with one statement. */
const MAX_LOOKUPS = 16;

export async function relatedMemories(
  tx: StoreTransaction,
  dialect: DialectName,
  space: string,
  { slots, fingerprint }: { readonly slots: readonly string[]; readonly fingerprint: string },
): Promise<Memory[]> {
  const lookup = (column: string, text: string) => {
    return { column, key: lookupValue(tx, column, space, lookupKey(text)) };
  };
  const lookups = [lookup("fingerprint", fingerprint), ...[...new Set(slots)].map((slot) => lookup("slot", slot))];
  // One by one, because PostgreSQL would rather read the whole space for a list, until it has counted the rows of each.
  const select = (column: string) => {
    const source = searchedBy(MEMORIES.name, `memories_by_${column}`, dialect);
    return `SELECT ${MEMORY_COLUMNS} FROM ${source} WHERE ${column} = ? AND space = ? AND ${IS_CURRENT}`;
  };
  const rows = new Map<SqlValue | undefined, SqlRow>();
  for (let start = 0; start < lookups.length; start += MAX_LOOKUPS) {
    const some = lookups.slice(start, start + MAX_LOOKUPS);
    const text = some.map(({ column }) => select(column)).join(" UNION ALL ");
    const params = some.flatMap(({ key }) => [key, space]);
    for (const row of await tx.all(text, params)) rows.set(row.id, row);
  }
  const memories = await assemble(tx, space, [...rows.values()]);
  return memories.sort((a, b) => (a.id < b.id ? -1 : 1));
}

export async function countUse(
  database: SqlDriver,
  space: string,
  ids: readonly string[],
  { use, at }: { readonly use: MemoryUse; readonly at: number },
): Promise<void> {
  const column = USAGE_COLUMNS[use];
  const text = (list: string) =>
    `UPDATE memories SET ${column} = ${column} + 1, last_accessed = CASE WHEN last_accessed > ? THEN last_accessed ELSE ? END
     WHERE space = ? AND id IN (${list})`;
  // In one order, so that two who count the same wait for each other in the same place.
  const stored = [...new Set(ids)].sort().map(toStoredText);
  await database.write((tx) => forLists(stored, (list, some) => tx.run(text(list), [at, at, space, ...some])));
}

async function assemble(tx: StoreTransaction, space: string, rows: readonly SqlRow[]): Promise<Memory[]> {
  const withArtifacts = rows.filter((row) => row.artifact_count !== 0).map(({ id = null }) => id);
  const text = (list: string) =>
    `SELECT episode_id, position, artifact_type, artifact_ref FROM episode_artifacts
     WHERE space = ? AND episode_id IN (${list}) ORDER BY episode_id, position`;
  const found = openRows(tx, ARTIFACTS, await selectIn(tx, text, [space], withArtifacts), { space });
  const artifacts = Map.groupBy(found, (row) => row.episode_id);
  await yieldToEventLoop();
  return mapYielding(openRows(tx, MEMORIES, rows, { space }), (row) => readMemoryRow(row, artifacts.get(row.id) ?? []));
}
