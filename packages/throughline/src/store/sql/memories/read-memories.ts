import { mapYielding, yieldToEventLoop } from "../../../internal/yield-to-event-loop.ts";
import type { Memory } from "../../../ports/memory.ts";
import type { MemoryFilter } from "../../../ports/memory-store.ts";
import { isSelected, memoryOrder } from "../../memory-filters.ts";
import { type DialectName, searchedBy } from "../dialect.ts";
import { lookupValue, openRows } from "../encryption/sealed-rows.ts";
import type { Lookup } from "../look-up.ts";
import { toStoredText } from "../row-values.ts";
import type { SqlRow, SqlValue, StoreTransaction } from "../sql-driver.ts";
import { limited, selectIn, selectsIn } from "../statements.ts";
import { ARTIFACTS, lookupKey, MEMORIES, MEMORY_COLUMNS, readMemoryRow } from "./memory-rows.ts";

const IS_CURRENT = "valid_to IS NULL AND archived_at IS NULL";
const LAST_SEEN_FIRST = "last_seen_at DESC, id DESC";

/** Memories by id, in the order of `ids`. */
export function memoriesById(space: string, ids: readonly string[]): Lookup<Memory[]> {
  const text = (list: string) => `SELECT ${MEMORY_COLUMNS} FROM memories WHERE space = ? AND id IN (${list})`;
  const stored = [...new Set(ids)].map(toStoredText);
  const selects = selectsIn(text, [space], stored);
  return {
    statements: [...selects, ...selectsIn(selectArtifacts, [space], stored)],
    async read(rows, opened) {
      const memories = rows.slice(0, selects.length).flat();
      const found = await join(opened, space, memories, rows.slice(selects.length).flat());
      const byId = new Map(found.map((memory) => [memory.id, memory]));
      return ids.flatMap((id) => byId.get(id) ?? []);
    },
  };
}

/** In the order of the filter. */
export async function listMemories(
  tx: StoreTransaction,
  dialect: DialectName,
  space: string,
  filter: MemoryFilter,
): Promise<Memory[]> {
  if (filter.matchAny !== undefined) return matchingMemories(tx, dialect, space, filter);
  const { current = false, categorized = false, sessionId, after, lastSeenFirst = false, limit } = filter;
  const conditions: [text: string, ...params: SqlValue[]][] = [["space = ?", space]];
  if (sessionId !== undefined) conditions.push(["session_id = ?", toStoredText(sessionId)]);
  if (categorized) conditions.push(["category IS NOT NULL"]);
  if (current) conditions.push([IS_CURRENT]);
  if (after !== undefined) conditions.push(["id > ?", toStoredText(after)]);
  const source = searchedBy(MEMORIES.name, indexFor(filter), dialect);
  const where = conditions.map(([text]) => text).join(" AND ");
  const params = conditions.flatMap(([, ...values]) => values);
  const select = `SELECT ${MEMORY_COLUMNS} FROM ${source} WHERE ${where} ORDER BY ${lastSeenFirst ? LAST_SEEN_FIRST : "id"}`;
  return assemble(tx, space, await tx.all(...limited(select, params, limit)));
}

/** The most selective index for a query, in the order of the query if there is one. */
function indexFor({ categorized, current, sessionId, lastSeenFirst }: MemoryFilter): string {
  if (sessionId !== undefined) return "memories_by_session";
  if (categorized && current) return "memories_of_chat";
  if (current && lastSeenFirst) return "memories_by_last_seen";
  // SQLite's name for the index of the primary key.
  return "sqlite_autoindex_memories_1";
}

/** Lookups in one statement. */
const MAX_LOOKUPS = 16;

/** Memories that have one of the slots or fingerprints of `matchAny` and meet the other conditions. */
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
    // Not as two conditions: without statistics, PostgreSQL would choose the index of all current memories for them.
    const state = filter.current === true ? "AND coalesce(valid_to, archived_at) IS NULL" : "";
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
  return memories.sort(memoryOrder(filter)).slice(0, Math.max(0, filter.limit ?? memories.length));
}

async function assemble(tx: StoreTransaction, space: string, rows: readonly SqlRow[]): Promise<Memory[]> {
  const withArtifacts = rows.filter((row) => row.artifact_count !== 0).map(({ id = null }) => id);
  return join(tx, space, rows, await selectIn(tx, selectArtifacts, [space], withArtifacts));
}

function selectArtifacts(list: string): string {
  return `SELECT episode_id, position, artifact_type, artifact_ref FROM episode_artifacts
    WHERE space = ? AND episode_id IN (${list}) ORDER BY episode_id, position`;
}

/** Memories from their rows and those of their artifacts. */
async function join(
  opened: Pick<StoreTransaction, "cipher">,
  space: string,
  rows: readonly SqlRow[],
  artifactRows: readonly SqlRow[],
): Promise<Memory[]> {
  const artifacts = Map.groupBy(openRows(opened, ARTIFACTS, artifactRows, { space }), (row) => row.episode_id);
  await yieldToEventLoop();
  const memories = openRows(opened, MEMORIES, rows, { space });
  return mapYielding(memories, (row) => readMemoryRow(row, artifacts.get(row.id) ?? []));
}
