import { StoreError } from "../../../errors/store-error.ts";
import { DIALECTS } from "../dialect.ts";
import { createJournal, migrate, versionOf } from "../migrate.ts";
import type { SqlDriver, SqlTransaction } from "../sql-driver.ts";
import { newStoreKey } from "./content-cipher.ts";
import { keepKey, readKeptKey, unlock } from "./stored-key.ts";

const NEW_SCHEMA = "Open it without a key, or use a new schema: only new tables are encrypted. Nothing was written.";

/**
 * Migrates a database and returns the store's key if it is encrypted. A new database is encrypted if a key is given.
 *
 * @throws StoreError `encrypted`, `wrong-key`, `not-encrypted`, `newer-version` or `not-ours`; nothing is written then.
 */
export async function prepareDatabase(
  driver: SqlDriver,
  userKey: Uint8Array | undefined,
): Promise<Uint8Array | undefined> {
  const storeKey = (await unlocked(driver, userKey)) ?? (userKey && (await claim(driver, userKey)));
  await migrate(driver);
  // Another process with a key may have created the same database at the same time.
  return storeKey ?? unlocked(driver, userKey);
}

/** Returns `undefined` if the database is not encrypted. */
async function unlocked(driver: SqlDriver, userKey: Uint8Array | undefined): Promise<Uint8Array | undefined> {
  const kept = await driver.read((tx) => readKeptKey(tx, driver.dialect));
  return kept && unlock(kept, userKey);
}

/** Marks an empty database as encrypted. */
function claim(driver: SqlDriver, userKey: Uint8Array): Promise<Uint8Array> {
  return driver.write(async (tx) => {
    await waitForMigrations(tx, driver);
    const kept = await readKeptKey(tx, driver.dialect);
    if (kept !== undefined) return unlock(kept, userKey);
    if ((await versionOf(tx, driver.dialect)) > 0) {
      const hint = driver.dialect === "postgres" ? { hint: NEW_SCHEMA } : {};
      throw new StoreError("not-encrypted", "A key was given, but the database is not encrypted.", hint);
    }
    const storeKey = newStoreKey();
    await createJournal(tx, driver.dialect);
    await keepKey(tx, driver.dialect, { user: userKey, store: storeKey, isClean: true });
    return storeKey;
  });
}

async function waitForMigrations(tx: SqlTransaction, { dialect }: SqlDriver): Promise<void> {
  const { lockMigrations } = DIALECTS[dialect];
  if (lockMigrations !== undefined) await tx.all(lockMigrations);
}
