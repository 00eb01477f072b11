import { StoreError } from "../../../errors/store-errors.ts";
import { createJournal, migrate, versionOf } from "../migrate.ts";
import { bytesOf, numberOf } from "../row-values.ts";
import { DIALECTS, type DialectName, type SqlDriver, type SqlTransaction } from "../sql-driver.ts";
import { newStoreKey, unwrapKey, wrapKey } from "./content-cipher.ts";

const KEYS = "throughline_keys";
/** There is one key. Encrypted values contain its version. */
const VERSION = 1;

/** The store's key as stored in the database, wrapped in the user's key. A database with such a key is encrypted. */
export interface KeptKey {
  readonly wrapped: Uint8Array;
  /** True if no plain text is left in the file. */
  readonly isClean: boolean;
}

/** Returns `undefined` if the database is not encrypted. */
export async function readKeptKey(tx: SqlTransaction, dialect: DialectName): Promise<KeptKey | undefined> {
  const tables = await tx.all(DIALECTS[dialect].tableNames);
  if (!tables.some(({ name }) => name === KEYS)) return undefined;
  const [row] = await tx.all(`SELECT wrapped, is_clean FROM ${KEYS} WHERE version = ?`, [VERSION]);
  if (row === undefined)
    throw new StoreError("corrupt", "Cannot open the database: it is encrypted, but its wrapped key is missing.");
  return { wrapped: bytesOf(row, "wrapped"), isClean: numberOf(row, "is_clean") === 1 };
}

/** Stores the key, which marks the database as encrypted. */
export async function keepKey(
  tx: SqlTransaction,
  dialect: DialectName,
  key: { readonly user: Uint8Array; readonly store: Uint8Array; readonly isClean: boolean },
): Promise<void> {
  const { integer, number, bytes } = DIALECTS[dialect];
  await tx.run(
    `CREATE TABLE ${KEYS} (version ${integer} PRIMARY KEY, wrapped ${bytes} NOT NULL, is_clean ${integer} NOT NULL,
       created_at ${number} NOT NULL)`,
  );
  const values = [VERSION, wrapKey(key.user, key.store), Number(key.isClean), Date.now()];
  await tx.run(`INSERT INTO ${KEYS} (version, wrapped, is_clean, created_at) VALUES (?, ?, ?, ?)`, values);
}

/** Wraps the store's key in another user key. Encrypted content stays unchanged. */
export async function rewrapKey(tx: SqlTransaction, userKey: Uint8Array, storeKey: Uint8Array): Promise<void> {
  await tx.run(`UPDATE ${KEYS} SET wrapped = ? WHERE version = ?`, [wrapKey(userKey, storeKey), VERSION]);
}

export async function noteClean(tx: SqlTransaction): Promise<void> {
  await tx.run(`UPDATE ${KEYS} SET is_clean = 1 WHERE version = ?`, [VERSION]);
}

/**
 * Unwraps the store's key.
 *
 * @throws StoreError `encrypted` if no key is given, `wrong-key` if it is another one.
 */
export function unlock({ wrapped }: KeptKey, userKey: Uint8Array | undefined): Uint8Array {
  if (userKey === undefined)
    throw new StoreError("encrypted", "Cannot open the database: it is encrypted, and no key was given.");
  const storeKey = unwrapKey(userKey, wrapped);
  if (storeKey === undefined)
    throw new StoreError("wrong-key", "Cannot open the database: it is encrypted with another key.");
  return storeKey;
}

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
      throw new StoreError(
        "not-encrypted",
        "Cannot open the database: a key was given, but it is not encrypted.",
        hint,
      );
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
