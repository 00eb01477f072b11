import { StoreError } from "../../errors/store-error.ts";
import { type EncryptionKey, keyBytes } from "../sql/encryption/encryption-key.ts";
import { versionOf } from "../sql/migrate.ts";
import { LATEST_VERSION } from "../sql/migrations/migrations.ts";
import type { SqlTransaction } from "../sql/sql-driver.ts";
import { checkEncryption, type EncryptionReport } from "./check-encryption.ts";
import { openForReading } from "./open-database.ts";
import { toStoreError } from "./sqlite-error.ts";

/** What was found in a SQLite file. */
export interface SqliteReport {
  /** How far the file was migrated. */
  readonly version: number;
  /** How far this version of Throughline migrates a file. */
  readonly latestVersion: number;
  /** Whether content is sealed, and whether it was looked into, which takes the key. */
  readonly encryption: EncryptionReport["encryption"];
  /** In plain words; empty where all is well. */
  readonly problems: readonly string[];
}

export interface CheckSqliteOptions {
  /** The key of an encrypted file: then what is sealed is checked too. */
  readonly encryptionKey?: EncryptionKey;
}

/**
 * Checks a file for damage, without writing to it. Reads all of it: not for a process that serves others meanwhile.
 *
 * @throws StoreError where the file is not ours or cannot be read at all
 */
export async function checkSqlite(path: string, options: CheckSqliteOptions = {}): Promise<SqliteReport> {
  const { encryptionKey } = options;
  const userKey = encryptionKey === undefined ? undefined : keyBytes(encryptionKey);
  try {
    const connection = openForReading(path);
    try {
      const version = await versionOf(connection, "sqlite");
      const broken = (cause: unknown) => [describeDamage(cause, path)];
      const damaged = await damage(connection).catch(broken);
      const lost = await lostReferences(connection).catch(broken);
      const { encryption, problems } = await checkEncryption(connection, userKey).catch(
        (cause: unknown): EncryptionReport => ({ encryption: "not-checked", problems: broken(cause) }),
      );
      return { version, latestVersion: LATEST_VERSION, encryption, problems: [...damaged, ...lost, ...problems] };
    } finally {
      connection.close();
    }
  } catch (error) {
    throw toStoreError(error, path);
  }
}

/** Some damage keeps SQLite from looking for more. */
function describeDamage(cause: unknown, path: string): string {
  const error = toStoreError(cause, path);
  if (error instanceof StoreError && error.problem === "corrupt") return error.message;
  throw error;
}

async function damage(tx: SqlTransaction): Promise<string[]> {
  const rows = await tx.all("PRAGMA integrity_check");
  return rows.map((row) => String(row.integrity_check)).filter((line) => line !== "ok");
}

async function lostReferences(tx: SqlTransaction): Promise<string[]> {
  const rows = await tx.all("PRAGMA foreign_key_check");
  return rows.map(({ table, parent }) => `A row of ${table} belongs to a row of ${parent} that is not there.`);
}
