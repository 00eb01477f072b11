import type { Turn } from "../../../ports/memory.ts";
import type { SearchEntry, StoredSearchEntry } from "../../../ports/memory-store.ts";
import { searchedBy } from "../create-table.ts";
import type { DialectName } from "../dialect.ts";
import { openRows } from "../encryption/sealed-rows.ts";
import { numberOf } from "../read-row.ts";
import type { SqlRow, SqlTransaction, StoreTransaction } from "../sql-driver.ts";
import { limited, selectIn } from "../statements.ts";
import { toStoredText } from "../stored-text.ts";
import { ENTRIES, ENTRY_COLUMNS, readEntryRow, readTurnRow, TURN_COLUMNS, TURNS } from "./turn-rows.ts";

/** Turns by id, in the order of `ids`. */
export async function turnsById(tx: StoreTransaction, space: string, ids: readonly string[]): Promise<Turn[]> {
  const text = (list: string) => `SELECT ${TURN_COLUMNS} FROM turns WHERE space = ? AND id IN (${list})`;
  const rows = await selectIn(tx, text, [space], [...new Set(ids)].map(toStoredText));
  const found = new Map(
    openRows(tx, TURNS, rows, { space })
      .map(readTurnRow)
      .map((turn) => [turn.id, turn]),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
}

export async function turnsOfSession(
  tx: StoreTransaction,
  space: string,
  sessionId: string,
  { from = 0, limit }: { readonly from: number | undefined; readonly limit: number | undefined },
): Promise<Turn[]> {
  const select = `SELECT ${TURN_COLUMNS} FROM turns WHERE space = ? AND session_id = ? AND position >= ?
    ORDER BY position, id`;
  const rows = await tx.all(...limited(select, [space, toStoredText(sessionId), from], limit));
  return openRows(tx, TURNS, rows, { space }).map(readTurnRow);
}

export async function countTurns(tx: SqlTransaction, space: string, sessionId: string): Promise<number> {
  const text = "SELECT count(*) AS turns FROM turns WHERE space = ? AND session_id = ?";
  const [row] = await tx.all(text, [space, toStoredText(sessionId)]);
  return row ? numberOf(row, "turns") : 0;
}

export async function entriesAfter(
  tx: StoreTransaction,
  space: string,
  { revision, id }: { readonly revision: number; readonly id?: string },
  limit: number,
): Promise<StoredSearchEntry[]> {
  const select = `SELECT ${ENTRY_COLUMNS} FROM search_entries WHERE space = ?`;
  const [behind, params] =
    id === undefined ? ["revision > ?", [revision]] : ["(revision, id) > (?, ?)", [revision, toStoredText(id)]];
  const text = `${select} AND ${behind} ORDER BY revision, id`;
  return readEntries(tx, space, await tx.all(...limited(text, [space, ...params], limit)));
}

/** What search holds of some, in the order of `ids`. */
export async function entriesById(tx: StoreTransaction, space: string, ids: readonly string[]): Promise<SearchEntry[]> {
  const text = (list: string) => `SELECT ${ENTRY_COLUMNS} FROM search_entries WHERE space = ? AND id IN (${list})`;
  const rows = await selectIn(tx, text, [space], [...new Set(ids)].map(toStoredText));
  const found = new Map(readEntries(tx, space, rows).map(({ revision: _, ...entry }) => [entry.id, entry]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

export async function entriesWithout(
  tx: StoreTransaction,
  dialect: DialectName,
  space: string,
  { embedder, after, limit }: { readonly embedder: string; readonly after: string; readonly limit: number },
): Promise<SearchEntry[]> {
  const source = searchedBy(ENTRIES.name, "search_entries_by_embedder", dialect);
  const text = `SELECT ${ENTRY_COLUMNS} FROM ${source}
    WHERE space = ? AND id > ? AND (embedder IS NULL OR embedder <> ?) ORDER BY id`;
  const rows = await tx.all(...limited(text, [space, toStoredText(after), toStoredText(embedder)], limit));
  return readEntries(tx, space, rows).map(({ revision: _, ...entry }) => entry);
}

function readEntries(tx: StoreTransaction, space: string, rows: readonly SqlRow[]): StoredSearchEntry[] {
  return openRows(tx, ENTRIES, rows, { space }).map(readEntryRow);
}
