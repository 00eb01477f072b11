import type { Turn } from "../../../ports/memory.ts";
import type { EntryFilter, StoredSearchEntry, TurnFilter } from "../../../ports/memory-store.ts";
import { searchedBy } from "../create-table.ts";
import type { DialectName } from "../dialect.ts";
import { openRows } from "../encryption/sealed-rows.ts";
import type { SqlRow, SqlValue, StoreTransaction } from "../sql-driver.ts";
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

export async function listTurns(tx: StoreTransaction, space: string, filter: TurnFilter): Promise<Turn[]> {
  const [conditions, params, order] = "sessionId" in filter ? ofSession(filter) : afterId(filter.after);
  const select = `SELECT ${TURN_COLUMNS} FROM turns WHERE space = ? ${conditions} ORDER BY ${order}`;
  const rows = await tx.all(...limited(select, [space, ...params], filter.limit));
  return openRows(tx, TURNS, rows, { space }).map(readTurnRow);
}

type Conditions = readonly [conditions: string, params: readonly SqlValue[], order: string];

function ofSession(filter: Extract<TurnFilter, { readonly sessionId: string }>): Conditions {
  const { sessionId, from = 0, newestFirst = false } = filter;
  const order = newestFirst ? "position DESC, id DESC" : "position, id";
  return ["AND session_id = ? AND position >= ?", [toStoredText(sessionId), from], order];
}

function afterId(after: string | undefined): Conditions {
  return after === undefined ? ["", [], "id"] : ["AND id > ?", [toStoredText(after)], "id"];
}

export async function listEntries(
  tx: StoreTransaction,
  dialect: DialectName,
  space: string,
  filter: EntryFilter,
): Promise<StoredSearchEntry[]> {
  const [text, params] =
    "withoutVectorOf" in filter
      ? selectWithoutVector(dialect, filter.withoutVectorOf, filter.afterId)
      : selectWritten(filter.after);
  return readEntries(tx, space, await tx.all(...limited(text, [space, ...params], filter.limit)));
}

type Select = readonly [text: string, params: readonly SqlValue[]];

function selectWritten(after: { readonly revision: number; readonly id?: string } = { revision: 0 }): Select {
  const { revision, id } = after;
  const [behind, params] =
    id === undefined ? ["revision > ?", [revision]] : ["(revision, id) > (?, ?)", [revision, toStoredText(id)]];
  return [`SELECT ${ENTRY_COLUMNS} FROM search_entries WHERE space = ? AND ${behind} ORDER BY revision, id`, params];
}

function selectWithoutVector(dialect: DialectName, embedder: string, afterId: string | undefined): Select {
  const source = searchedBy(ENTRIES.name, "search_entries_by_embedder", dialect);
  const [behind, after] = afterId === undefined ? ["", []] : ["AND id > ?", [toStoredText(afterId)]];
  const text = `SELECT ${ENTRY_COLUMNS} FROM ${source}
    WHERE space = ? ${behind} AND (embedder IS NULL OR embedder <> ?) ORDER BY id`;
  return [text, [...after, toStoredText(embedder)]];
}

/** In the order of `ids`. */
export async function entriesById(
  tx: StoreTransaction,
  space: string,
  ids: readonly string[],
): Promise<StoredSearchEntry[]> {
  const text = (list: string) => `SELECT ${ENTRY_COLUMNS} FROM search_entries WHERE space = ? AND id IN (${list})`;
  const rows = await selectIn(tx, text, [space], [...new Set(ids)].map(toStoredText));
  const found = new Map(readEntries(tx, space, rows).map((entry) => [entry.id, entry]));
  return ids.flatMap((id) => found.get(id) ?? []);
}

function readEntries(tx: StoreTransaction, space: string, rows: readonly SqlRow[]): StoredSearchEntry[] {
  return openRows(tx, ENTRIES, rows, { space }).map(readEntryRow);
}
