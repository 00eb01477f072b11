import { StoreError } from "../../../errors/store-error.ts";
import { DIALECTS, type DialectName } from "../dialect.ts";
import { bytesOf, numberOf } from "../read-row.ts";
import type { SqlTransaction } from "../sql-driver.ts";
import { unwrapKey, wrapKey } from "./vault.ts";

const KEYS = "throughline_keys";
/** There is one key, of the version that stands in what is sealed with it. */
const VERSION = 1;

/** The store's key as the database keeps it, wrapped in the user's. A database is encrypted where it has one. */
export interface KeptKey {
  readonly wrapped: Uint8Array;
  /** Nothing is left in the file from before it was encrypted. */
  readonly isClean: boolean;
}

/** `undefined` where the database is not encrypted. */
export async function readKeptKey(tx: SqlTransaction, dialect: DialectName): Promise<KeptKey | undefined> {
  const tables = await tx.all(DIALECTS[dialect].tableNames);
  if (!tables.some(({ name }) => name === KEYS)) return undefined;
  const [row] = await tx.all(`SELECT wrapped, is_clean FROM ${KEYS} WHERE version = ?`, [VERSION]);
  if (row === undefined) throw new StoreError("corrupt", "The database is encrypted, and its own key is missing.");
  return { wrapped: bytesOf(row, "wrapped"), isClean: numberOf(row, "is_clean") === 1 };
}

/** From now on the database is encrypted. */
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

/** Wraps the store's key in another one of the user. What is sealed stays as it is. */
export async function rewrapKey(tx: SqlTransaction, userKey: Uint8Array, storeKey: Uint8Array): Promise<void> {
  await tx.run(`UPDATE ${KEYS} SET wrapped = ? WHERE version = ?`, [wrapKey(userKey, storeKey), VERSION]);
}

export async function noteClean(tx: SqlTransaction): Promise<void> {
  await tx.run(`UPDATE ${KEYS} SET is_clean = 1 WHERE version = ?`, [VERSION]);
}

/**
 * The store's key.
 *
 * @throws StoreError `encrypted` where no key is given, `wrong-key` where it is another one
 */
export function unlock({ wrapped }: KeptKey, userKey: Uint8Array | undefined): Uint8Array {
  if (userKey === undefined) throw new StoreError("encrypted", "The database is encrypted, and no key was given.");
  const storeKey = unwrapKey(userKey, wrapped);
  if (storeKey === undefined) throw new StoreError("wrong-key", "The database is encrypted with another key.");
  return storeKey;
}
