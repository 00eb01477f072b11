import { Dexie } from "dexie";
import { StoreError } from "../../errors/store-errors.ts";
import type { Clock } from "../../ports/clock.ts";
import { migrations } from "./migrations/migrations.ts";
import {
  blockedByTab,
  isClosedConnection,
  newerVersion,
  noStorage,
  outdatedTab,
  toStoreError,
} from "./store-problem.ts";
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
