import { prepareDatabase } from "./encryption/prepare-database.ts";
import { createVault, type Vault } from "./encryption/vault.ts";
import { withNote } from "./noted-writes.ts";
import type { SqlDriver, SqlTransaction, StoreDatabase, StoreTransaction } from "./sql-driver.ts";

interface Opened {
  /** The store's key, and what it opens; neither where the database is not encrypted. */
  readonly key?: Uint8Array;
  readonly vault?: Vault;
}

export interface OpenedDatabase extends StoreDatabase {
  readonly opened: () => Promise<Opened>;
}

type Work<T> = (tx: StoreTransaction) => Promise<T>;

/** The same database, ready for our statements: the first of them opens it. */
export function storeDatabase(driver: SqlDriver, userKey: Uint8Array | undefined): OpenedDatabase {
  let opening: Promise<Opened> | undefined;
  const opened = () => {
    // One that failed is tried again by the next call: the reason may be gone.
    opening ??= open(driver, userKey).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const within = async <T>(run: (work: (tx: SqlTransaction) => Promise<T>) => Promise<T>, work: Work<T>) => {
    const { vault } = await opened();
    return run((tx) => work(withVault(tx, vault)));
  };
  return {
    dialect: driver.dialect,
    opened,
    read: (work) => within((inner) => driver.read(inner), work),
    write: (work) => within((inner) => driver.write(inner), withNote(work)),
    erase: (work) => within((inner) => (driver.erase ? driver.erase(inner) : driver.write(inner)), withNote(work)),
    now: (tx) => driver.now(tx),
    close: () => driver.close(),
  };
}

async function open(driver: SqlDriver, userKey: Uint8Array | undefined): Promise<Opened> {
  const key = await prepareDatabase(driver, userKey);
  return key === undefined ? {} : { key, vault: createVault(key) };
}

export function withVault(tx: SqlTransaction, vault: Vault | undefined): StoreTransaction {
  return { all: (...args) => tx.all(...args), run: (...args) => tx.run(...args), vault };
}
