import { yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import { type Sealing, sealRow } from "./encryption/sealed-rows.ts";
import type {
  SelectedRows,
  SqlRow,
  SqlStatement,
  SqlTransaction,
  SqlValue,
  StoreDatabase,
  StoreTransaction,
} from "./sql-driver.ts";

// Lists of any length use few statement texts, so that prepared statements are reused.
const MAX_INSERT_ROWS = 64;
const LIST_SIZES = [1, 4, 16, 64, 256];

export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Conflict columns of an upsert. Default: existing rows are not replaced. */
  readonly replacedBy?: readonly string[];
  /** Columns that an upsert does not change. */
  readonly keeps?: readonly string[];
  /** Content columns, encrypted in an encrypted database. Default: none. */
  readonly sealing?: Sealing;
}

/**
 * Inserts rows in column order and encrypts content; read them with `openRows`. Returns the number of written rows:
 * fewer if a key exists and rows are not replaced. With an upsert, the rows must have distinct keys.
 */
export async function insertRows(
  tx: StoreTransaction,
  table: Table,
  rows: readonly (readonly SqlValue[])[],
): Promise<number> {
  let inserted = 0;
  for (let start = 0, size = MAX_INSERT_ROWS; start < rows.length; ) {
    while (size > rows.length - start) size /= 2;
    const some = rows.slice(start, start + size).flatMap((row) => sealedValues(tx, table, row));
    inserted += await tx.run(insertText(table, size), some);
    start += size;
    // Safe, because a transaction is alone on its connection.
    await yieldToEventLoop();
  }
  return inserted;
}

function sealedValues(tx: StoreTransaction, table: Table, row: readonly SqlValue[]): readonly SqlValue[] {
  if (tx.cipher === undefined || table.sealing === undefined) return row;
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

/** Runs a statement for lists of values, in chunks. `text` gets the placeholders for `IN (…)`. */
export async function forLists<T>(
  values: readonly SqlValue[],
  run: (list: string, params: readonly SqlValue[]) => Promise<T>,
): Promise<T[]> {
  const results: T[] = [];
  for (const [list, part] of listsOf(values)) {
    results.push(await run(list, part));
    await yieldToEventLoop();
  }
  return results;
}

/** Chunks of values, each with its placeholders for `IN (…)`. */
function* listsOf(values: readonly SqlValue[]): Generator<readonly [list: string, params: readonly SqlValue[]]> {
  const largest = LIST_SIZES.at(-1) ?? 1;
  for (let start = 0; start < values.length; start += largest) {
    const part = values.slice(start, start + largest);
    const size = LIST_SIZES.find((one) => one >= part.length) ?? largest;
    // A repeated value does not find a row twice.
    const filled = [...part, ...Array<SqlValue>(size - part.length).fill(part[0] ?? null)];
    yield [placeholders(size), filled];
  }
}

/** The statements of `selectIn`. */
export function selectsIn(
  text: (list: string) => string,
  params: readonly SqlValue[],
  values: readonly SqlValue[],
): SqlStatement[] {
  return [...listsOf(values)].map(([list, part]) => [text(list), [...params, ...part]]);
}

/**
 * Selects rows for lists of any length. `text` gets the placeholders for `IN (…)`, which come after all other
 * parameters.
 */
export async function selectIn(
  tx: SqlTransaction,
  text: (list: string) => string,
  params: readonly SqlValue[],
  values: readonly SqlValue[],
): Promise<SqlRow[]> {
  const found = await forLists(values, (list, part) => tx.all(text(list), [...params, ...part]));
  return found.flat();
}

/** Adds a limit to a select. */
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

/** Statements that do not depend on each other's results, and a function that reads their rows. */
export interface Lookup<T> {
  readonly statements: readonly SqlStatement[];
  /** Gets the rows of each statement. */
  read(rows: readonly (readonly SqlRow[])[], opened: Pick<SelectedRows, "cipher">): T | Promise<T>;
}

/** Reads several lookups from one snapshot, in one round trip to a server. */
export async function lookUpAll<T>(database: StoreDatabase, lookups: readonly Lookup<T>[]): Promise<T[]> {
  const { rows, cipher } = await select(
    database,
    lookups.flatMap(({ statements }) => statements),
  );
  const found: T[] = [];
  let at = 0;
  for (const lookup of lookups) {
    const end = at + lookup.statements.length;
    found.push(await lookup.read(rows.slice(at, end), { cipher }));
    at = end;
  }
  return found;
}

/** Reads one lookup. */
export async function lookUp<T>(database: StoreDatabase, lookup: Lookup<T>): Promise<T> {
  const [found] = await lookUpAll(database, [lookup]);
  return found as T;
}

async function select(database: StoreDatabase, statements: readonly SqlStatement[]): Promise<SelectedRows> {
  // Also without a statement: a closed store refuses.
  if (database.selectRows !== undefined && statements.length > 0) return database.selectRows(statements);
  return database.read(async ({ all, cipher }) => {
    const rows: (readonly SqlRow[])[] = [];
    for (const [sql, params] of statements) {
      rows.push(await all(sql, params));
      await yieldToEventLoop();
    }
    return { rows, cipher };
  });
}
