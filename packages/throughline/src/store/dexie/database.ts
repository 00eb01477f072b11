import { Dexie } from "dexie";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { StoreError, type StoreProblem } from "../../errors/store-errors.ts";
import { ThroughlineError } from "../../errors/throughline-error.ts";
import type { Clock } from "../../ports/clock.ts";
import { migrations } from "./migrations/migrations.ts";
import type { TableName, Tables } from "./tables.ts";
import type { Tabs } from "./tabs.ts";

/** Milliseconds to wait for another tab to release an older version: it may be writing. */
const TIMEOUT_MS = 3_000;

const VERSION = Math.max(...migrations.map(({ version }) => version));

type Work<T> = (tables: Tables) => Promise<T>;
type Connection = Dexie & Tables;

/** The database of this page: opened on first use, and again if the browser closed it. */
export class Database {
  readonly clock: Clock;
  readonly #name: string;
  readonly #tabs: Tabs;
  readonly #running = new Set<Promise<unknown>>();
  #dexie: Connection | undefined;
  #opening: Promise<unknown> | undefined;
  /** Resolves if another tab does not release an older version. */
  #blocked = Promise.withResolvers<void>();
  #isOutdated = false;
  #isClosed = false;

  constructor(name: string, clock: Clock, tabs: Tabs) {
    this.#name = name;
    this.clock = clock;
    this.#tabs = tabs;
  }

  /** Reads a snapshot of these tables. */
  read<T>(tables: readonly TableName[], work: Work<T>): Promise<T> {
    return this.#run(() => this.#transact("r", tables, work));
  }

  /** Writes atomically with exclusive access to these tables. Notifies other tabs if something was written. */
  write<T>(tables: readonly TableName[], work: Work<T>, wasWritten = isNotFalse<T>): Promise<T> {
    return this.#run(async () => {
      const result = await this.#transact("rw", tables, work);
      if (wasWritten(result)) this.#tabs.notifyWrite();
      return result;
    });
  }

  /** Same as `write`, without a notification, e.g. for leases. */
  writeQuietly<T>(tables: readonly TableName[], work: Work<T>): Promise<T> {
    return this.#run(() => this.#transact("rw", tables, work));
  }

  /** Waits for running operations and their notifications. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#running);
    this.#tabs.close();
    this.#dexie?.close();
  }

  async #run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new StoreError("closed", "The store is closed.");
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw toStoreError(error);
    } finally {
      this.#running.delete(running);
    }
  }

  async #transact<T>(mode: "r" | "rw", tables: readonly TableName[], work: Work<T>): Promise<T> {
    const connection = await this.#open();
    const begin = () => connection.transaction(mode, [...tables], async () => work(connection));
    try {
      return await begin();
    } catch (error) {
      if (!isClosedConnection(error)) throw error;
      // The connection was closed before anything was done.
      await this.#open();
      return await begin();
    }
  }

  async #open(): Promise<Connection> {
    if (this.#isOutdated) throw outdatedTab();
    this.#dexie ??= this.#connect();
    const dexie = this.#dexie;
    if (this.#opening === undefined && dexie.isOpen()) return dexie;
    this.#opening ??= dexie.open().finally(() => {
      this.#opening = undefined;
      this.#blocked = Promise.withResolvers();
    });
    // A caller that stops waiting does not cancel the opening: the next call waits for the same one.
    await Promise.race([this.#opening, this.#blocked.promise.then(pause).then(refuse)]);
    return dexie;
  }

  #connect(): Connection {
    const options = { indexedDB: ownVersionOnly(browserStorage()), IDBKeyRange, autoOpen: false };
    const dexie = new Dexie(this.#name, options) as Connection;
    for (const { version, stores, upgrade } of migrations) {
      const step = dexie.version(version).stores({ ...stores });
      if (upgrade !== undefined) step.upgrade(upgrade);
    }
    dexie.on("blocked", () => this.#blocked.resolve());
    dexie.on("versionchange", ({ newVersion }) => {
      // Without a new version the database is being deleted: the next call opens a new one.
      this.#isOutdated = newVersion !== null && newVersion > VERSION * 10;
      dexie.close();
      return false;
    });
    return dexie;
  }
}

function isNotFalse<T>(result: T): boolean {
  return result !== false;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, TIMEOUT_MS));
}

function refuse(): never {
  throw blockedByTab();
}

function browserStorage(): IDBFactory {
  try {
    // Some browsers throw, others have none.
    if (globalThis.indexedDB) return globalThis.indexedDB;
  } catch (cause) {
    throw noStorage(cause);
  }
  throw noStorage();
}

/**
 * Dexie opens a database that is newer than the code and adds missing tables. To prevent that, Dexie gets a factory
 * that only opens its own version.
 */
function ownVersionOnly(storage: IDBFactory): IDBFactory {
  return {
    open: (name, version) => {
      // Dexie multiplies versions by ten.
      if (version !== VERSION * 10) throw newerVersion();
      return storage.open(name, version);
    },
    deleteDatabase: (name) => storage.deleteDatabase(name),
    databases: () => storage.databases(),
    cmp: (a, b) => storage.cmp(a, b),
  };
}

/** Message for the user, with the next step. */
type Words = readonly [problem: StoreProblem, message: string, hint: string];

const NO_STORAGE: Words = [
  "unavailable",
  "This browser does not allow the page to store data.",
  "Allow this site to store data, or use a window that is not private. Until then nothing is saved.",
];

const BROKEN_OFF: Words = [
  "unavailable",
  "The browser aborted a write; nothing was written.",
  "Retry. Stored data is intact.",
];

const WORDS: Readonly<Record<string, Words>> = {
  QuotaExceededError: [
    "full",
    "This browser has no storage space left; nothing was written.",
    "Delete old data or free space on this device. Stored data is intact.",
  ],
  ConstraintError: ["duplicate-id", "An id already exists.", "Use unique ids. Stored data is intact."],
  MissingAPIError: NO_STORAGE,
  OpenFailedError: NO_STORAGE,
  SecurityError: NO_STORAGE,
  InvalidStateError: NO_STORAGE,
  UnknownError: NO_STORAGE,
  NotAllowedError: NO_STORAGE,
  DatabaseClosedError: BROKEN_OFF,
  TransactionInactiveError: BROKEN_OFF,
  AbortError: BROKEN_OFF,
  NotFoundError: [
    "corrupt",
    "Part of the stored data is missing.",
    "Clear this site's data in the browser settings to start over. Nothing was written.",
  ],
};

/** Errors for values that the browser cannot store. */
const NO_DATA = ["DataCloneError", "DataError"];

function noStorage(cause?: unknown): StoreError {
  return toError(NO_STORAGE, cause);
}

/** The data was written by a newer version. */
function newerVersion(): StoreError {
  return new StoreError("newer-version", "The stored data was written by a newer version of this page.", {
    hint: "Reload the page to get that version. Nothing was changed.",
  });
}

/** Another tab migrated the data while this one was open. */
function outdatedTab(): StoreError {
  return new StoreError("newer-version", "Another tab has updated the stored data.", {
    hint: "Reload this page to continue. Stored data is intact.",
  });
}

/** Another tab blocks the migration. */
function blockedByTab(): StoreError {
  return new StoreError("busy", "Another tab has the stored data open in an older version.", {
    hint: "Close the other tabs of this page, or reload them, and retry.",
  });
}

/** Converts errors of Dexie and the browser; other errors are returned unchanged. */
function toStoreError(error: unknown): unknown {
  if (ThroughlineError.isInstance(error)) return error;
  const names = [...causesOf(error)].map(({ name }) => name);
  if (names.some((name) => NO_DATA.includes(name))) {
    return new InvalidOptionError("value to store", "not plain data", "plain data with text ids and finite numbers");
  }
  // The innermost cause is the most specific.
  const name = names.findLast((one) => Object.hasOwn(WORDS, one));
  const words = name === undefined ? undefined : WORDS[name];
  return words === undefined ? error : toError(words, error);
}

/** True if the connection was closed before anything was done, so a retry is safe. */
function isClosedConnection(error: unknown): boolean {
  return error instanceof Error && error.name === "DatabaseClosedError";
}

function toError([problem, message, hint]: Words, cause: unknown): StoreError {
  return new StoreError(problem, message, { hint, cause });
}

/** The error and its nested causes. */
function* causesOf(error: unknown): Generator<{ readonly name: string }> {
  // Browser errors are not always instances of Error.
  if (typeof error !== "object" || error === null || !("name" in error)) return;
  yield error as { readonly name: string };
  const { inner, failures } = error as { readonly inner?: unknown; readonly failures?: readonly unknown[] };
  if (failures?.[0] !== undefined) yield* causesOf(failures[0]);
  if (inner !== undefined) yield* causesOf(inner);
}
