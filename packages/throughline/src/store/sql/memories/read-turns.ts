import type { Turn } from "../../../ports/memory.ts";
import type { EntryFilter, StoredSearchEntry, TurnFilter } from "../../../ports/memory-store.ts";
import { searchedBy } from "../create-table.ts";
import type { DialectName } from "../dialect.ts";
import { openRows } from "../encryption/sealed-rows.ts";
import type { Lookup } from "../look-up.ts";
import type { SqlRow, SqlStatement, SqlValue, StoreTransaction } from "../sql-driver.ts";
import { limited, selectsIn } from "../statements.ts";
import { toStoredText } from "../stored-text.ts";
import { ENTRIES, ENTRY_COLUMNS, readEntryRow, readTurnRow, TURN_COLUMNS, TURNS } from "./turn-rows.ts";

/** Turns by id, in the order of `ids`. */
export function turnsById(space: string, ids: readonly string[]): Lookup<Turn[]> {
  const text = (list: string) => `SELECT ${TURN_COLUMNS} FROM turns WHERE space = ? AND id IN (${list})`;
  return {
    statements: selectsIn(text, [space], [...new Set(ids)].map(toStoredText)),
    read(rows, opened) {
      const turns = openRows(opened, TURNS, rows.flat(), { space }).map(readTurnRow);
      const found = new Map(turns.map((turn) => [turn.id, turn]));
      return ids.flatMap((id) => found.get(id) ?? []);
    },
  };
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

export function listEntries(dialect: DialectName, space: string, filter: EntryFilter): Lookup<StoredSearchEntry[]> {
  const [text, params] =
    "withoutVectorOf" in filter
      ? selectWithoutVector(dialect, filter.withoutVectorOf, filter.afterId)
      : selectWritten(filter.after);
  return {
    statements: [limited(text, [space, ...params], filter.limit)],
    read: (rows, opened) => readEntries(opened, space, rows.flat()),
  };
}

function selectWritten(after: { readonly revision: number; readonly id?: string } = { revision: 0 }): SqlStatement {
  const { revision, id } = after;
  const [behind, params] =
    id === undefined ? ["revision > ?", [revision]] : ["(revision, id) > (?, ?)", [revision, toStoredText(id)]];
  return [`SELECT ${ENTRY_COLUMNS} FROM search_entries WHERE space = ? AND ${behind} ORDER BY revision, id`, params];
}

function selectWithoutVector(dialect: DialectName, embedder: string, afterId: string | undefined): SqlStatement {
  const source = searchedBy(ENTRIES.name, "search_entries_by_embedder", dialect);
  const [behind, after] = afterId === undefined ? ["", []] : ["AND id > ?", [toStoredText(afterId)]];
  const text = `SELECT ${ENTRY_COLUMNS} FROM ${source}
    WHERE space = ? ${behind} AND (embedder IS NULL OR embedder <> ?) ORDER BY id`;
  return [text, [...after, toStoredText(embedder)]];
}

/** In the order of `ids`. */
export function entriesById(space: string, ids: readonly string[]): Lookup<StoredSearchEntry[]> {
  const text = (list: string) => `SELECT ${ENTRY_COLUMNS} FROM search_entries WHERE space = ? AND id IN (${list})`;
  return {
    statements: selectsIn(text, [space], [...new Set(ids)].map(toStoredText)),
    read(rows, opened) {
      const found = new Map(readEntries(opened, space, rows.flat()).map((entry) => [entry.id, entry]));
      return ids.flatMap((id) => found.get(id) ?? []);
    },
  };
}

function readEntries(
  opened: Pick<StoreTransaction, "cipher">,
  space: string,
  rows: readonly SqlRow[],
): StoredSearchEntry[] {
  return openRows(opened, ENTRIES, rows, { space }).map(readEntryRow);
}
