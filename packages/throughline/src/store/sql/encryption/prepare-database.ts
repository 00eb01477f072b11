import { StoreError } from "../../../errors/store-error.ts";
import { DIALECTS } from "../dialect.ts";
import { createJournal, migrate, versionOf } from "../migrate.ts";
import type { SqlDriver, SqlTransaction } from "../sql-driver.ts";
import { keepKey, readKeptKey, unlock } from "./kept-key.ts";
import { newStoreKey } from "./vault.ts";

const NEW_SCHEMA =
  "Open it without a key, or name a schema that is not there yet: only new tables are encrypted. Nothing was written to it.";

/**
 * Brings a database to the newest version, and gives the store's key where it is encrypted. A new one is encrypted where a
 * key is given.
 *
 * @throws StoreError `encrypted`, `wrong-key`, `not-encrypted`, `newer-version` or `not-ours`; then nothing is written.
 */
export async function prepareDatabase(
  driver: SqlDriver,
  userKey: Uint8Array | undefined,
): Promise<Uint8Array | undefined> {
  const storeKey = (await unlocked(driver, userKey)) ?? (userKey && (await claim(driver, userKey)));
  await migrate(driver);
  // Somebody who has a key may have made the same new database at the same moment.
  return storeKey ?? unlocked(driver, userKey);
}

/** `undefined` where the database is not encrypted. */
async function unlocked(driver: SqlDriver, userKey: Uint8Array | undefined): Promise<Uint8Array | undefined> {
  const kept = await driver.read((tx) => readKeptKey(tx, driver.dialect));
  return kept && unlock(kept, userKey);
}

/** Has a database encrypted in which there is nothing yet. */
function claim(driver: SqlDriver, userKey: Uint8Array): Promise<Uint8Array> {
  return driver.write(async (tx) => {
    await waitForMigrations(tx, driver);
    const kept = await readKeptKey(tx, driver.dialect);
    if (kept !== undefined) return unlock(kept, userKey);
    if ((await versionOf(tx, driver.dialect)) > 0) {
      const hint = driver.dialect === "postgres" ? { hint: NEW_SCHEMA } : {};
      throw new StoreError("not-encrypted", "A key was given, and the database is not encrypted.", hint);
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
