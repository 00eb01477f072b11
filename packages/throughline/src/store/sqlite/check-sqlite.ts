import { CHECKED_LATER, checkOptions } from "../../errors/check-options.ts";
import { StoreError } from "../../errors/store-errors.ts";
import { createContentCipher, unwrapKey } from "../sql/encryption/content-cipher.ts";
import { type EncryptionKey, keyBytes } from "../sql/encryption/encryption-key.ts";
import { checkSealed } from "../sql/encryption/seal-database.ts";
import { readKeptKey } from "../sql/encryption/stored-key.ts";
import { versionOf } from "../sql/migrate.ts";
import { LATEST_VERSION } from "../sql/migrations/migrations.ts";
import { DIALECTS, type SqlTransaction } from "../sql/sql-driver.ts";
import { withCipher } from "../sql/store-database.ts";
import { openForReading } from "./open-database.ts";
import { toStoreError } from "./sqlite-error.ts";

interface EncryptionReport {
  /** Encryption status. Checking the content requires the key. */
  readonly encryption: "none" | "not-checked" | "checked";
  readonly problems: readonly string[];
}

/** Result of checking a SQLite file. */
export interface SqliteReport {
  /** Schema version of the file. */
  readonly version: number;
  /** Schema version of this Throughline release. */
  readonly latestVersion: number;
  /** Encryption status. Checking the content requires the key. */
  readonly encryption: EncryptionReport["encryption"];
  /** Readable problems; empty if there are none. */
  readonly problems: readonly string[];
}

export interface CheckSqliteOptions {
  /** Key of an encrypted file. With it the encrypted content is checked too. */
  readonly encryptionKey?: EncryptionKey;
}

/**
 * Checks a file for damage without writing to it. Reads the whole file, so do not run it in a process that serves
 * requests.
 *
 * @param path Database file.
 * @param options Key of an encrypted file.
 * @throws StoreError if the file is not a Throughline database or cannot be read at all.
 *
 * @example
 * const { problems } = await checkSqlite("sessions.db");
 */
export async function checkSqlite(path: string, options: CheckSqliteOptions = {}): Promise<SqliteReport> {
  checkOptions("checkSqlite", options, { encryptionKey: CHECKED_LATER });
  const { encryptionKey } = options;
  const userKey = encryptionKey === undefined ? undefined : keyBytes(encryptionKey);
  try {
    const connection = openForReading(path);
    try {
      const version = await versionOf(connection, "sqlite");
      const broken = (cause: unknown) => [describeDamage(cause, path)];
      const damaged = await findDamage(connection).catch(broken);
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

/** Some damage prevents SQLite from checking further. */
function describeDamage(cause: unknown, path: string): string {
  const error = toStoreError(cause, path);
  if (error instanceof StoreError && error.problem === "corrupt") return error.summary;
  throw error;
}

async function findDamage(tx: SqlTransaction): Promise<string[]> {
  const rows = await tx.all("PRAGMA integrity_check");
  return rows.map((row) => String(row.integrity_check)).filter((line) => line !== "ok");
}

async function lostReferences(tx: SqlTransaction): Promise<string[]> {
  const rows = await tx.all("PRAGMA foreign_key_check");
  return rows.map(({ table, parent }) => `A row of ${table} refers to a missing row of ${parent}.`);
}

/** Checks the encryption of a file, with or without its key. */
async function checkEncryption(tx: SqlTransaction, userKey: Uint8Array | undefined): Promise<EncryptionReport> {
  const kept = await readKeptKey(tx, "sqlite");
  if (kept === undefined) {
    const problems =
      userKey === undefined
        ? []
        : ["A key was given, but the file is not encrypted. Encrypt the file, or omit the key."];
    return { encryption: "none", problems };
  }
  const traces = kept.isClean ? [] : ["The file may contain unencrypted traces. Run the encryption again."];
  if (userKey === undefined) return { encryption: "not-checked", problems: traces };
  const storeKey = unwrapKey(userKey, kept.wrapped);
  if (storeKey === undefined) {
    return {
      encryption: "not-checked",
      problems: [...traces, "The file is encrypted with another key. Use that key."],
    };
  }
  const tables = (await tx.all(DIALECTS.sqlite.tableNames)).map(({ name }) => String(name));
  const sealed = withCipher(tx, createContentCipher(storeKey));
  return { encryption: "checked", problems: [...traces, ...(await checkSealed(sealed, tables))] };
}
