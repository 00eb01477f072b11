import { setImmediate } from "node:timers/promises";
import { StoreError } from "../../../errors/store-errors.ts";
import { CHANGES, CONTRADICTIONS, JOURNAL, JUDGED, JUDGEMENTS } from "../memories/journal-rows.ts";
import { ARTIFACTS, MEMORIES } from "../memories/memory-rows.ts";
import { ENTRIES, TURNS } from "../memories/turn-rows.ts";
import { BLOBS, DOCUMENTS } from "../named-rows.ts";
import { numberOf } from "../row-values.ts";
import { ANSWERS } from "../server/answer-store.ts";
import { JOBS } from "../server/job-queue.ts";
import { MESSAGES, PARTS } from "../sessions/message-log.ts";
import { COMPACTIONS, RECEIPTS, STATES } from "../sessions/session-rows.ts";
import type { SqlRow, SqlValue, StoreTransaction } from "../sql-driver.ts";
import { limited } from "../statements.ts";
import { openRows, type SealedTable, type Sealing, sealRow } from "./sealed-rows.ts";

/** All tables with content. A test checks that all other columns are known to have none. */
export const SEALED_TABLES: readonly SealedTable[] = [
  ...[MESSAGES, PARTS, STATES, COMPACTIONS, RECEIPTS],
  ...[MEMORIES, ARTIFACTS, TURNS, ENTRIES, CONTRADICTIONS, JOURNAL, CHANGES, JUDGEMENTS, JUDGED],
  ...[DOCUMENTS, BLOBS, JOBS, ANSWERS],
];

/** Rows per read. */
const PAGE = 500;

/** Progress in rows. */
export interface SealingProgress {
  /** Rows since the last call. */
  readonly added: number;
  readonly total: number;
}

/** Encrypts all rows of all tables and returns their number. Throwing in `report` cancels the work. */
export async function sealDatabase(tx: StoreTransaction, report: (progress: SealingProgress) => void): Promise<number> {
  const total = await countRows(tx);
  for (const { name, sealing } of SEALED_TABLES) {
    if (sealing === undefined) continue;
    for await (const rows of pagesOf(tx, name, sealing)) {
      for (const row of rows) await sealStored(tx, name, sealing, row);
      report({ added: rows.length, total });
      // Lets other tasks of this process run.
      await setImmediate();
    }
  }
  return total;
}

async function countRows(tx: StoreTransaction): Promise<number> {
  let total = 0;
  for (const { name } of SEALED_TABLES) {
    for (const row of await tx.all(`SELECT count(*) AS rows FROM ${name}`)) total += numberOf(row, "rows");
  }
  return total;
}

/** Yields the rows of a table in key order, with the columns that encryption needs. */
async function* pagesOf(tx: StoreTransaction, name: string, sealing: Sealing): AsyncGenerator<readonly SqlRow[]> {
  const { key } = sealing;
  const columns = quoted([...new Set([...key, ...changedBy(sealing)])]);
  const order = quoted(key);
  // If the key itself changes, paging by key would not work.
  const limit = sealing.digested?.some((column) => key.includes(column)) ? Number.POSITIVE_INFINITY : PAGE;
  let last: SqlRow | undefined;
  do {
    const behind = last === undefined ? "" : `WHERE (${order}) > (${key.map(() => "?").join(", ")})`;
    const text = `SELECT ${columns} FROM ${name} ${behind} ORDER BY ${order}`;
    const rows: readonly SqlRow[] = await tx.all(
      ...limited(text, last === undefined ? [] : valuesOf(last, key), limit),
    );
    if (rows.length > 0) yield rows;
    last = rows.length < limit ? undefined : rows.at(-1);
  } while (last !== undefined);
}

async function sealStored(tx: StoreTransaction, name: string, sealing: Sealing, row: SqlRow): Promise<void> {
  const table: SealedTable = { name, sealing };
  const changed = changedBy(sealing);
  const sealed = sealRow(tx, table, row);
  await tx.run(`UPDATE ${name} SET ${assignments(changed, ", ")} WHERE ${assignments(sealing.key, " AND ")}`, [
    ...valuesOf(sealed, changed),
    ...valuesOf(row, sealing.key),
  ]);
}

function changedBy({ content, digested = [] }: Sealing): string[] {
  return [...new Set([...(content?.columns ?? []), ...digested])];
}

function valuesOf(row: SqlRow, columns: readonly string[]): SqlValue[] {
  return columns.map((column) => row[column] ?? null);
}

function quoted(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(", ");
}

function assignments(columns: readonly string[], between: string): string {
  return columns.map((column) => `"${column}" = ?`).join(between);
}

/** Lists rows that cannot be decrypted. `tables` are the existing tables. */
export async function checkSealed(tx: StoreTransaction, tables: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const table of SEALED_TABLES.filter(({ name }) => tables.includes(name))) {
    const count = await countUnopened(tx, table);
    const rows = count === 1 ? "1 row" : `${count.toLocaleString("en-US")} rows`;
    if (count > 0)
      problems.push(
        `${rows} of ${table.name} cannot be decrypted: changed, moved or never encrypted. Restore a backup.`,
      );
  }
  return problems;
}

async function countUnopened(tx: StoreTransaction, table: SealedTable): Promise<number> {
  const { name, sealing } = table;
  if (sealing?.content === undefined) return 0;
  let count = 0;
  for await (const rows of pagesOf(tx, name, sealing)) {
    count += rows.filter((row) => !canBeOpened(tx, table, row)).length;
  }
  return count;
}

function canBeOpened(tx: StoreTransaction, table: SealedTable, row: SqlRow): boolean {
  try {
    openRows(tx, table, [row]);
    return true;
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}
