import { yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import { type Sealing, sealRow } from "./encryption/sealed-rows.ts";
import type { SqlRow, SqlTransaction, SqlValue, StoreTransaction } from "./sql-driver.ts";

// Lists of any length are written with few texts, so that prepared statements are used again.
const LARGEST_INSERT = 64;
const LIST_SIZES = [1, 4, 16, 64, 256];

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** The columns by which a row is known that a new one replaces; none is replaced where they are not named. */
  readonly replacedBy?: readonly string[];
  /** The columns that stay as they are where a row is replaced. */
  readonly keeps?: readonly string[];
  /** Which columns hold words, and are sealed in a database that is encrypted; none does where nothing is said. */
  readonly sealing?: Sealing;
}

/**
 * Inserts rows, in the order of the table's columns, and seals what holds words; `openRows` reads it. How many were written: fewer where a key is taken and nothing is
 * replaced. Where it is, no two of the rows may have one key.
 */
export async function insertRows(
  tx: StoreTransaction,
  table: Table,
  rows: readonly (readonly SqlValue[])[],
): Promise<number> {
  let inserted = 0;
  for (let start = 0, size = LARGEST_INSERT; start < rows.length; ) {
    while (size > rows.length - start) size /= 2;
    const some = rows.slice(start, start + size).flatMap((row) => sealedValues(tx, table, row));
    inserted += await tx.run(insertText(table, size), some);
    start += size;
    // A transaction is the only one on its connection, so nothing comes in between.
    await yieldToEventLoop();
  }
  return inserted;
}

function sealedValues(tx: StoreTransaction, table: Table, row: readonly SqlValue[]): readonly SqlValue[] {
  if (tx.vault === undefined || table.sealing === undefined) return row;
  const names = table.columns.map((column) => column.replaceAll('"', ""));
  const sealed = sealRow(tx, table, Object.fromEntries(names.map((name, i) => [name, row[i] ?? null])));
  return names.map((name) => sealed[name] ?? null);
}

const insertTexts = new Map<string, string>();

function insertText(table: Table, rows: number): string {
  const { name, columns } = table;
  const known = insertTexts.get(`${name} ${rows}`);
  if (known !== undefined) return known;
  const row = `(${placeholders(columns.length)})`;
  const values = Array(rows).fill(row).join(", ");
  const text = `INSERT INTO ${name} (${columns.join(", ")}) VALUES ${values} ${conflictText(table)}`;
  insertTexts.set(`${name} ${rows}`, text);
  return text;
}

function conflictText({ columns, replacedBy, keeps = [] }: Table): string {
  if (replacedBy === undefined) return "ON CONFLICT DO NOTHING";
  const others = columns.filter((column) => !replacedBy.includes(column) && !keeps.includes(column));
  const settings = others.map((column) => `${column} = excluded.${column}`);
  return `ON CONFLICT (${replacedBy.join(", ")}) DO UPDATE SET ${settings.join(", ")}`;
}

/** Runs a statement for lists of values, each as long as a statement takes: `text` gets what stands in `IN (…)`. */
export async function forLists<T>(
  values: readonly SqlValue[],
  run: (list: string, params: readonly SqlValue[]) => Promise<T>,
): Promise<T[]> {
  const largest = LIST_SIZES.at(-1) ?? 1;
  const results: T[] = [];
  for (let start = 0; start < values.length; start += largest) {
    const part = values.slice(start, start + largest);
    const size = LIST_SIZES.find((one) => one >= part.length) ?? largest;
    // A value that is named twice finds nothing twice.
    const filled = [...part, ...Array<SqlValue>(size - part.length).fill(part[0] ?? null)];
    results.push(await run(placeholders(size), filled));
    await yieldToEventLoop();
  }
  return results;
}

/** Rows of a select, for lists of any length. `text` gets what stands in `IN (…)`, behind all other parameters. */
export async function selectIn(
  tx: SqlTransaction,
  text: (list: string) => string,
  params: readonly SqlValue[],
  values: readonly SqlValue[],
): Promise<SqlRow[]> {
  const found = await forLists(values, (list, part) => tx.all(text(list), [...params, ...part]));
  return found.flat();
}

/** A select with its parameters, for at most so many rows. */
export function limited(
  select: string,
  params: readonly SqlValue[],
  limit = Number.POSITIVE_INFINITY,
): [sql: string, params: readonly SqlValue[]] {
  return limit === Number.POSITIVE_INFINITY ? [select, params] : [`${select} LIMIT ?`, [...params, limit]];
}

function placeholders(count: number): string {
  return Array(count).fill("?").join(", ");
}
