import { StoreError } from "../../errors/store-error.ts";
import { versionOf } from "../sql/migrate.ts";
import { LATEST_VERSION } from "../sql/migrations/migrations.ts";
import type { SqlTransaction } from "../sql/sql-driver.ts";
import { openForReading } from "./open-database.ts";
import { toStoreError } from "./sqlite-error.ts";

/** What was found in a SQLite file. */
export interface SqliteReport {
  /** How far the file was migrated. */
  readonly version: number;
  /** How far this version of Throughline migrates a file. */
  readonly latestVersion: number;
  /** In plain words; empty where all is well. */
  readonly problems: readonly string[];
}

/**
 * Checks a file for damage, without writing to it. Reads all of it: not for a process that serves others meanwhile.
 *
 * @throws StoreError where the file is not ours or cannot be read at all
 */
export async function checkSqlite(path: string): Promise<SqliteReport> {
  try {
    const connection = openForReading(path);
    try {
      return {
        version: await versionOf(connection, "sqlite"),
        latestVersion: LATEST_VERSION,
        problems: [...(await found(damage(connection), path)), ...(await found(lostReferences(connection), path))],
      };
    } finally {
      connection.close();
    }
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** Some damage keeps SQLite from looking for more. */
async function found(problems: Promise<string[]>, path: string): Promise<string[]> {
  try {
    return await problems;
  } catch (cause) {
    const error = toStoreError(cause, path);
    if (error instanceof StoreError && error.problem === "corrupt") return [error.message];
    throw error;
  }
}

async function damage(tx: SqlTransaction): Promise<string[]> {
  const rows = await tx.all("PRAGMA integrity_check");
  return rows.map((row) => String(row.integrity_check)).filter((line) => line !== "ok");
}

async function lostReferences(tx: SqlTransaction): Promise<string[]> {
  const rows = await tx.all("PRAGMA foreign_key_check");
  return rows.map(({ table, parent }) => `A row of ${table} belongs to a row of ${parent} that is not there.`);
}
