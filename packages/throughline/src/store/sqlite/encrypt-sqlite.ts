import { StoreError } from "../../errors/store-error.ts";
import { type EncryptionKey, keyBytes } from "../sql/encryption/encryption-key.ts";
import { keepKey, noteClean, readKeptKey, unlock } from "../sql/encryption/kept-key.ts";
import { type SealingProgress, sealDatabase } from "../sql/encryption/seal-database.ts";
import { createVault, newStoreKey } from "../sql/encryption/vault.ts";
import { migrate } from "../sql/migrate.ts";
import type { SqlDriver } from "../sql/sql-driver.ts";
import { withVault } from "../sql/store-database.ts";
import { inspectFile } from "./inspect-file.ts";
import { sqliteDriver } from "./sqlite-driver.ts";
import { isBusy } from "./sqlite-error.ts";

/** Whoever has the file open goes on having it: to wait longer helps nobody. */
const PATIENCE = 500;

export interface EncryptSqliteOptions {
  readonly encryptionKey: EncryptionKey;
  /** Called from time to time; what it throws ends the work, and nothing is changed. */
  readonly onProgress?: (progress: SealingProgress) => void;
}

export interface SqliteEncryption {
  /** How many rows were sealed. */
  readonly sealed: number;
  /** It was encrypted with this key before. */
  readonly wasEncrypted: boolean;
}

/**
 * Encrypts a file that was not, in one transaction: it is all sealed or as it was, wherever the process ends. Then the file
 * is written anew, so that nothing of before stays in it; where that was cut short, the same call goes on with it. Nobody
 * else may have the file open. Copies that were made before stay as they are.
 *
 * @throws StoreError `busy` where somebody has the file open, `wrong-key` where it is encrypted with another key
 * @example
 * await encryptSqlite("sessions.db", { encryptionKey: await readFile("throughline.key", "utf8") });
 */
export async function encryptSqlite(path: string, options: EncryptSqliteOptions): Promise<SqliteEncryption> {
  const userKey = keyBytes(options.encryptionKey);
  if (inspectFile(path) === "absent") throw new StoreError("unavailable", `There is no database at ${path}.`);
  const driver = sqliteDriver(path, { isAlone: true, busyTimeout: PATIENCE });
  try {
    const sealed = await seal(driver, userKey, options.onProgress ?? (() => undefined));
    await clean(driver);
    return { sealed: sealed ?? 0, wasEncrypted: sealed === undefined };
  } catch (error) {
    if (!isBusy(error)) throw error;
    const hint = "Stop what uses it (`throughline doctor` says which processes) and try again.";
    throw new StoreError("busy", `${path} is open elsewhere; it can be encrypted when nobody uses it.`, {
      cause: error,
      hint,
    });
  } finally {
    await driver.close();
  }
}

/** How many rows; `undefined` where it was done before. */
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
    // A row whose key becomes a digest is without those that belong to it until they have the same.
    await tx.run("PRAGMA defer_foreign_keys = ON");
    return sealDatabase(withVault(tx, createVault(storeKey)), onProgress);
  });
}

/** Makes sure that nothing of before stands in the file. */
async function clean(driver: SqlDriver): Promise<void> {
  const kept = await driver.read((tx) => readKeptKey(tx, "sqlite"));
  if (kept?.isClean) return;
  try {
    // There is nothing to erase but what was there before.
    await driver.erase?.(async () => undefined);
  } catch (cause) {
    if (!(cause instanceof StoreError)) throw cause;
    const message = "Content is sealed, and words of before may be in the file until it is encrypted once more.";
    throw new StoreError(cause.problem, message, { cause });
  }
  await driver.write(noteClean);
}
