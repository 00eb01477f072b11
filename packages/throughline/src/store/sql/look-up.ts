import { yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { SelectedRows, SqlRow, SqlStatement, StoreDatabase } from "./sql-driver.ts";

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
