import { mapYielding } from "../../../internal/yield-to-event-loop.ts";
import type { Contradiction } from "../../../ports/memory.ts";
import type { JournalEntry, MemoryStore } from "../../../ports/memory-store.ts";
import { type ContradictionFilter, chooseContradictions } from "../../contradiction-filter.ts";
import { openRows } from "../encryption/sealed-rows.ts";
import { numberOf } from "../read-row.ts";
import type { SqlRow, SqlTransaction, StoreTransaction } from "../sql-driver.ts";
import { limited, selectIn } from "../statements.ts";
import { toStoredText } from "../stored-text.ts";
import { CONTRADICTION_COLUMNS, CONTRADICTIONS, readContradictionRow } from "./contradiction-rows.ts";
import { CHANGES, JOURNAL, readJournalRow } from "./journal-rows.ts";

const SELECT_ENTRIES = `SELECT ${JOURNAL.columns.join(", ")} FROM memory_journal WHERE space = ?`;

/** The newest first. */
export async function readJournal(
  tx: StoreTransaction,
  space: string,
  filter: Parameters<MemoryStore["journal"]>[1],
): Promise<JournalEntry[]> {
  const rows = "ids" in filter ? await entriesById(tx, space, filter.ids) : await newest(tx, space, filter.limit);
  const text = (list: string) =>
    `SELECT ${CHANGES.columns.join(", ")} FROM journal_changes WHERE space = ? AND entry_id IN (${list})
     ORDER BY entry_id, position`;
  const ids = rows.map(({ id = null }) => id);
  const changes = Map.groupBy(openRows(tx, CHANGES, await selectIn(tx, text, [space], ids)), (row) => row.entry_id);
  return mapYielding(openRows(tx, JOURNAL, rows), (row) => readJournalRow(row, changes.get(row.id) ?? []));
}

function newest(tx: SqlTransaction, space: string, limit: number): Promise<readonly SqlRow[]> {
  return tx.all(...limited(`${SELECT_ENTRIES} ORDER BY revision DESC, position DESC`, [space], limit));
}

async function entriesById(tx: SqlTransaction, space: string, ids: readonly string[]): Promise<readonly SqlRow[]> {
  const stored = [...new Set(ids)].map(toStoredText);
  const rows = await selectIn(tx, (list) => `${SELECT_ENTRIES} AND id IN (${list})`, [space], stored);
  const by = (column: string) => (a: SqlRow, b: SqlRow) => numberOf(b, column) - numberOf(a, column);
  return rows.sort((a, b) => by("revision")(a, b) || by("position")(a, b));
}

export async function readContradictions(
  tx: StoreTransaction,
  space: string,
  filter: ContradictionFilter,
): Promise<Contradiction[]> {
  const { status, ids, of } = filter;
  const select = `SELECT ${CONTRADICTION_COLUMNS} FROM contradictions WHERE space = ?`;
  const having = (column: string, values: readonly string[]) =>
    selectIn(tx, (list) => `${select} AND ${column} IN (${list})`, [space], [...new Set(values)].map(toStoredText));
  const rows = async () => {
    if (ids !== undefined) return having("id", ids);
    if (of !== undefined) return [...(await having("memory_a", of)), ...(await having("memory_b", of))];
    return status === undefined ? tx.all(select, [space]) : tx.all(`${select} AND status = ?`, [space, status]);
  };
  // Of two memories that are both asked for, it was found twice.
  const found = new Map(
    openRows(tx, CONTRADICTIONS, await rows(), { space })
      .map(readContradictionRow)
      .map((one) => [one.id, one]),
  );
  return chooseContradictions(found.values(), filter);
}
