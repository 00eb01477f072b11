import { mapYielding, yieldToEventLoop } from "../../../internal/yield-to-event-loop.ts";
import type { Memory } from "../../../ports/memory.ts";
import type { MemoryFilter } from "../../../ports/memory-store.ts";
import { isSelected } from "../../memory-filter.ts";
import { searchedBy } from "../create-table.ts";
import type { DialectName } from "../dialect.ts";
import { lookupValue, openRows } from "../encryption/sealed-rows.ts";
import type { SqlRow, SqlValue, StoreTransaction } from "../sql-driver.ts";
import { limited, selectIn } from "../statements.ts";
import { toStoredText } from "../stored-text.ts";
import { lookupKey } from "./lookup-key.ts";
import { ARTIFACTS, MEMORIES, MEMORY_COLUMNS, readMemoryRow } from "./memory-rows.ts";

const IS_CURRENT = "valid_to IS NULL AND archived_at IS NULL";

/** Memories by id, in the order of `ids`. */
export async function memoriesById(tx: StoreTransaction, space: string, ids: readonly string[]): Promise<Memory[]> {
  const text = (list: string) => `SELECT ${MEMORY_COLUMNS} FROM memories WHERE space = ? AND id IN (${list})`;
  const rows = await selectIn(tx, text, [space], [...new Set(ids)].map(toStoredText));
  const found = new Map((await assemble(tx, space, rows)).map((memory) => [memory.id, memory]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Sorted by id. */
export async function listMemories(
  tx: StoreTransaction,
  dialect: DialectName,
  space: string,
  filter: MemoryFilter,
): Promise<Memory[]> {
  if (filter.matchAny !== undefined) return matchingMemories(tx, dialect, space, filter);
  const { current = false, categorized = false, sessionId, after, limit } = filter;
  const conditions: [text: string, ...params: SqlValue[]][] = [["space = ?", space]];
  if (sessionId !== undefined) conditions.push(["session_id = ?", toStoredText(sessionId)]);
  if (categorized) conditions.push(["category IS NOT NULL"]);
  if (current) conditions.push([IS_CURRENT]);
  if (after !== undefined) conditions.push(["id > ?", toStoredText(after)]);
  const source = searchedBy(MEMORIES.name, indexFor(filter), dialect);
  const where = conditions.map(([text]) => text).join(" AND ");
  const params = conditions.flatMap(([, ...values]) => values);
  const select = `SELECT ${MEMORY_COLUMNS} FROM ${source} WHERE ${where} ORDER BY id`;
  return assemble(tx, space, await tx.all(...limited(select, params, limit)));
}

/** The most selective index for a query, sorted by id. */
function indexFor({ categorized, current, sessionId }: MemoryFilter): string {
  if (sessionId !== undefined) return "memories_by_session";
  if (categorized && current) return "memories_of_chat";
  // SQLite's name for the index of the primary key.
  return "sqlite_autoindex_memories_1";
}

/** Lookups in one statement. */
const MAX_LOOKUPS = 16;

/** Memories that have one of the slots or fingerprints of `matchAny` and meet the other conditions, sorted by id. */
async function matchingMemories(
  tx: StoreTransaction,
  dialect: DialectName,
  space: string,
  filter: MemoryFilter,
): Promise<Memory[]> {
  const { slots = [], fingerprints = [] } = filter.matchAny ?? {};
  const lookups = (column: string, texts: readonly string[]) =>
    [...new Set(texts)].map((text) => ({ column, key: lookupValue(tx, column, space, lookupKey(text)) }));
  const all = [...lookups("fingerprint", fingerprints), ...lookups("slot", slots)];
  // One by one: without statistics, PostgreSQL would read the whole space for a list.
  const select = (column: string) => {
    const source = searchedBy(MEMORIES.name, `memories_by_${column}`, dialect);
    const state = filter.current === true ? `AND ${IS_CURRENT}` : "";
    return `SELECT ${MEMORY_COLUMNS} FROM ${source} WHERE ${column} = ? AND space = ? ${state}`;
  };
  const rows = new Map<SqlValue | undefined, SqlRow>();
  for (let start = 0; start < all.length; start += MAX_LOOKUPS) {
    const some = all.slice(start, start + MAX_LOOKUPS);
    const text = some.map(({ column }) => select(column)).join(" UNION ALL ");
    const params = some.flatMap(({ key }) => [key, space]);
    for (const row of await tx.all(text, params)) rows.set(row.id, row);
  }
  const memories = (await assemble(tx, space, [...rows.values()])).filter((memory) => isSelected(memory, filter));
  return memories.sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, Math.max(0, filter.limit ?? memories.length));
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
