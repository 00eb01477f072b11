import { AsyncLocalStorage } from "node:async_hooks";
import { lazy } from "../../internal/memoize.ts";
import { type ContentCipher, createContentCipher } from "./encryption/content-cipher.ts";
import { prepareDatabase } from "./encryption/stored-key.ts";
import type { SqlDriver, SqlTransaction, StoreDatabase, StoreTransaction } from "./sql-driver.ts";

interface Opened {
  /** The store's key and cipher; undefined if the database is not encrypted. */
  readonly key?: Uint8Array;
  readonly cipher?: ContentCipher;
}

export interface OpenedDatabase extends StoreDatabase {
  readonly opened: () => Promise<Opened>;
}

type Work<T> = (tx: StoreTransaction) => Promise<T>;

/** The same database, opened and migrated on first use. */
export function storeDatabase(driver: SqlDriver, userKey: Uint8Array | undefined): OpenedDatabase {
  const opened = lazy(() => open(driver, userKey));
  const within = async <T>(run: (work: (tx: SqlTransaction) => Promise<T>) => Promise<T>, work: Work<T>) => {
    const { cipher } = await opened();
    return run((tx) => work(withCipher(tx, cipher)));
  };
  return {
    dialect: driver.dialect,
    opened,
    read: (work) => within((inner) => driver.read(inner), work),
    selectRows:
      driver.select &&
      (async (statements) => {
        const { cipher } = await opened();
        return { rows: (await driver.select?.(statements)) ?? [], cipher };
      }),
    write: (work, isBrief) => within((inner) => driver.write(inner, isBrief), withNote(work)),
    erase: (work) => within((inner) => (driver.erase ? driver.erase(inner) : driver.write(inner)), withNote(work)),
    now: (tx) => driver.now(tx),
    close: () => driver.close(),
  };
}

async function open(driver: SqlDriver, userKey: Uint8Array | undefined): Promise<Opened> {
  const key = await prepareDatabase(driver, userKey);
  return key === undefined ? {} : { key, cipher: createContentCipher(key) };
}

export function withCipher(tx: SqlTransaction, cipher: ContentCipher | undefined): StoreTransaction {
  return { all: (...args) => tx.all(...args), run: (...args) => tx.run(...args), cipher };
}

/** Writes more rows in a transaction, given its result. */
type Note = (tx: StoreTransaction, result: unknown) => Promise<void>;

const pending = new AsyncLocalStorage<Note>();

/**
 * Runs `write`, and calls `note` at the end of each of its write transactions, before the commit, after the notes of
 * callers further out.
 */
export function runWithNote<T>(note: Note, write: () => Promise<T>): Promise<T> {
  const outer = pending.getStore();
  const both: Note = async (tx, result) => {
    await outer?.(tx, result);
    await note(tx, result);
  };
  return pending.run(outer === undefined ? note : both, write);
}

/** Adds the pending note to the work of a write transaction. */
function withNote<T>(work: (tx: StoreTransaction) => Promise<T>): (tx: StoreTransaction) => Promise<T> {
  const note = pending.getStore();
  if (note === undefined) return work;
  return async (tx) => {
    const result = await work(tx);
    await note(tx, result);
    return result;
  };
}
