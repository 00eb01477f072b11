import { CHECKED_LATER, checkOptions, FUNCTION } from "../../errors/check-options.ts";
import { StoreError } from "../../errors/store-errors.ts";
import { createContentCipher, newStoreKey } from "../sql/encryption/content-cipher.ts";
import { type EncryptionKey, keyBytes } from "../sql/encryption/encryption-key.ts";
import { type SealingProgress, sealDatabase } from "../sql/encryption/seal-database.ts";
import { keepKey, noteClean, readKeptKey, unlock } from "../sql/encryption/stored-key.ts";
import { migrate } from "../sql/migrate.ts";
import type { SqlDriver } from "../sql/sql-driver.ts";
import { withCipher } from "../sql/store-database.ts";
import { removeMigrationBackups } from "./backup-sqlite.ts";
import { inspectFile } from "./database-file.ts";
import { isBusy } from "./sqlite-error.ts";
import { sqliteDriver } from "./sqlite-store.ts";

/** Milliseconds to wait for other users of the file, who usually keep it open. */
const TIMEOUT_MS = 500;

export interface EncryptSqliteOptions {
  /** Key to encrypt with. */
  readonly encryptionKey: EncryptionKey;
  /** Called from time to time. Throwing cancels the encryption, and nothing is changed. */
  readonly onProgress?: (progress: SealingProgress) => void;
}

export interface SqliteEncryption {
  /** Number of encrypted rows. */
  readonly sealed: number;
  /** True if it was already encrypted with this key. */
  readonly wasEncrypted: boolean;
}

/**
 * Encrypts a database file in one transaction: if the process ends early, it is unchanged. The file is then rewritten,
 * so that no plain text stays in it; if that was interrupted, call the function again. Copies from before migrations
 * are deleted; other copies stay unencrypted. No other process may have the file open.
 *
 * @param path Database file.
 * @param options Key and progress callback.
 * @throws StoreError `busy` if another process has the file open, `wrong-key` if it is encrypted with another key.
 *
 * @example
 * await encryptSqlite("sessions.db", { encryptionKey: await readFile("throughline.key", "utf8") });
 */
export async function encryptSqlite(path: string, options: EncryptSqliteOptions): Promise<SqliteEncryption> {
  checkOptions("encryptSqlite", options, { encryptionKey: CHECKED_LATER, onProgress: FUNCTION });
  const userKey = keyBytes(options.encryptionKey);
  if (inspectFile(path) === "absent") throw new StoreError("unavailable", `No database at ${path}.`);
  const driver = sqliteDriver(path, { isAlone: true, busyTimeout: TIMEOUT_MS });
  try {
    const sealed = await seal(driver, userKey, options.onProgress ?? (() => undefined));
    removeMigrationBackups(path);
    await clean(driver);
    return { sealed: sealed ?? 0, wasEncrypted: sealed === undefined };
  } catch (error) {
    if (!isBusy(error)) throw error;
    const hint = "Stop the processes that use it (`throughline doctor` lists them) and retry.";
    throw new StoreError("busy", `Cannot encrypt ${path}: another process has it open.`, {
      cause: error,
      hint,
    });
  } finally {
    await driver.close();
  }
}

/** Number of rows; `undefined` if it was already encrypted. */
async function seal(
  driver: SqlDriver,
  userKey: Uint8Array,
  onProgress: (progress: SealingProgress) => void,
): Promise<number | undefined> {
  const kept = await driver.read((tx) => readKeptKey(tx, "sqlite"));
  if (kept !== undefined) {
    unlock(kept, userKey);
    return undefined;
  }
  await migrate(driver);
  const storeKey = newStoreKey();
  return driver.write(async (tx) => {
    await keepKey(tx, "sqlite", { user: userKey, store: storeKey, isClean: false });
    // While keys are replaced by digests, rows temporarily refer to missing parents.
    await tx.run("PRAGMA defer_foreign_keys = ON");
    return sealDatabase(withCipher(tx, createContentCipher(storeKey)), onProgress);
  });
}

/** Ensures that no plain text stays in the file. */
async function clean(driver: SqlDriver): Promise<void> {
  const kept = await driver.read((tx) => readKeptKey(tx, "sqlite"));
  if (kept?.isClean) return;
  try {
    // Only rewrites the file.
    await driver.erase?.(async () => undefined);
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    const message = "The content is encrypted, but the file may contain plain-text traces.";
    throw new StoreError(cause.problem, message, { cause, hint: "Run the encryption again." });
  }
  await driver.write(noteClean);
}
