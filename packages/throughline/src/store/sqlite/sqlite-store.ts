import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import { AT_LEAST_ZERO, CHECKED_LATER, checkOptions, type OptionRules, oneOf } from "../../errors/check-options.ts";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { StoreError } from "../../errors/store-errors.ts";
import { createSequentialQueue } from "../../internal/concurrency.ts";
import type { Clock } from "../../ports/clock.ts";
import { type EncryptionKey, keyBytes } from "../sql/encryption/encryption-key.ts";
import type { SqlDriver, SqlTransaction } from "../sql/sql-driver.ts";
import { createSqlStore, type SqlStore } from "../sql/sql-store.ts";
import { backUpForMigration, removeMigrationBackups, removeOldMigrationBackups } from "./backup-sqlite.ts";
import type { Connection } from "./connection.ts";
import { type OpenOptions, openForWriting } from "./open-database.ts";
import { retryWhileBusy, toStoreError } from "./sqlite-error.ts";

export interface SqliteStoreOptions extends Pick<SqliteDriverOptions, "synchronous" | "busyTimeout"> {
  /** Encrypts all content. A new file is encrypted; an existing encrypted one needs the same key. */
  readonly encryptionKey?: EncryptionKey;
}

const RULES: OptionRules<SqliteStoreOptions> = {
  synchronous: oneOf("normal", "full"),
  busyTimeout: AT_LEAST_ZERO,
  encryptionKey: CHECKED_LATER,
};

/**
 * Stores sessions and memories in one SQLite file, or in memory with `:memory:`. Several processes may use a file at
 * once. The file is opened on first use; errors are thrown there as `StoreError`.
 *
 * A file of an earlier release is migrated; its copy stays beside it for 30 days, as `sessions.db.v7.backup`.
 *
 * Acknowledged writes survive a killed process, and with `synchronous: "full"` a power loss. A purge leaves no data of
 * a session or memory in the file, its log or such a copy: the whole file is rewritten, which takes seconds per
 * gigabyte and the same disk space again. Concurrent purges share one rewrite.
 *
 * With an `encryptionKey`, content is encrypted before it is written; docs/encryption.md lists the details.
 *
 * @param path Database file, or `:memory:`.
 * @param options Durability, lock timeout and encryption key.
 *
 * @example
 * const tl = await createThroughline({ store: sqliteStore("sessions.db") });
 */
export function sqliteStore(path: string, options: SqliteStoreOptions = {}): SqlStore {
  if (typeof path !== "string" || path === "")
    throw new InvalidOptionError("path", JSON.stringify(path), "the path of a file, or :memory:");
  checkOptions("sqliteStore", options, RULES);
  const { encryptionKey, ...others } = options;
  return createSqlStore(sqliteDriver(path, others), {
    encryptionKey: encryptionKey === undefined ? undefined : keyBytes(encryptionKey),
  });
}

interface SqliteDriverOptions extends OpenOptions {
  /** Milliseconds to wait for a lock. Default: 10,000. */
  readonly busyTimeout?: number;
  /** For the age of copies from before a migration. Default: the clock of the system. */
  readonly clock?: Clock;
}

const IN_MEMORY = ":memory:";
/** Milliseconds for which reads trust that the file is still in its place. */
const FILE_TRUSTED = 1_000;

type Work<T> = (tx: SqlTransaction) => Promise<T>;

/** Creates a driver for a SQLite database, opened on first use. */
export function sqliteDriver(path: string, options: SqliteDriverOptions = {}): SqlDriver {
  return new SqliteDriver(path, options);
}

class SqliteDriver implements SqlDriver {
  readonly dialect = "sqlite";
  readonly #path: string;
  readonly #options: SqliteDriverOptions;
  /** There is one connection, which can be in one transaction. */
  readonly #connected = createSequentialQueue();
  /** A write that waits for a lock stays ahead of later ones; reads continue meanwhile. */
  readonly #writing = createSequentialQueue();
  #connection: Connection | undefined;
  /** A cleanup that has not started. */
  #cleaning: Promise<void> | undefined;
  /** Time of the last check that the file is in its place, on the monotonic clock. */
  #checkedAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;
  readonly #gathered = new GatheredWrites();

  constructor(path: string, options: SqliteDriverOptions) {
    this.#path = path;
    this.#options = options;
  }

  read<T>(work: Work<T>): Promise<T> {
    return this.#patiently(() => this.#transaction("BEGIN", work));
  }

  write<T>(work: Work<T>, isBrief = false): Promise<T> {
    if (!isBrief) return this.#writing(() => this.#patiently(() => this.#transaction("BEGIN IMMEDIATE", work)));
    const write = this.#gathered.add(work);
    const run = () => this.#transaction("BEGIN IMMEDIATE", write.run, write.committed);
    return this.#writing(() => {
      const { outcome } = write;
      return outcome === undefined ? this.#patiently(run) : this.#typed(async () => outcome());
    }).finally(write.remove);
  }

  async erase<T>(work: Work<T>): Promise<T> {
    const result = await this.write(work);
    try {
      if (this.#path !== IN_MEMORY) removeMigrationBackups(this.#path);
      // Callers that come before it starts share it.
      this.#cleaning ??= this.#clean();
      await this.#cleaning;
    } catch (cause) {
      if (!(cause instanceof StoreError)) throw cause;
      const message = `The rows are deleted, but traces may remain in the file. ${cause.summary}`;
      throw new StoreError(cause.problem, message, { cause, hint: `${cause.hint} Then repeat the purge.` });
    }
    return result;
  }

  async backUp(version: number): Promise<string | undefined> {
    if (this.#path === IN_MEMORY) return undefined;
    const copy = { version, now: this.#now() };
    return this.#patiently(() => backUpForMigration(this.#path, this.#open(), copy));
  }

  async now(): Promise<number> {
    return Date.now();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connected(async () => {
      this.#connection?.close();
      this.#connection = undefined;
    });
  }

  /** Ensures that no deleted data stays in the file or its log. */
  async #clean(): Promise<void> {
    await this.#writing(() => {
      this.#cleaning = undefined;
      return this.#patiently(() => this.#open().rewrite());
    });
    // Not in the write queue, so that writes do not wait for readers.
    await this.#patiently(async () => {
      if (!this.#open().emptyLog())
        throw new StoreError(
          "busy",
          `Could not empty the log of ${this.#path}: another connection is reading from it.`,
        );
    });
  }

  #patiently<T>(attempt: () => Promise<T>): Promise<T> {
    const connected = () => this.#connected(() => this.#typed(attempt));
    return retryWhileBusy(connected, this.#options.busyTimeout ?? 10_000);
  }

  async #typed<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw toStoreError(error, this.#path);
    }
  }

  /** Writes are locked from the start, so that reads stay valid until the end. */
  async #transaction<T>(
    begin: "BEGIN" | "BEGIN IMMEDIATE",
    work: (connection: Connection) => Promise<T>,
    committed?: () => void,
  ): Promise<T> {
    const connection = this.#open(begin === "BEGIN" ? FILE_TRUSTED : 0);
    connection.control(begin);
    try {
      const result = await work(connection);
      connection.control("COMMIT");
      committed?.();
      return result;
    } catch (error) {
      connection.rollBack();
      throw error;
    }
  }

  #connect(): Connection {
    const connection = openForWriting(this.#path, this.#options);
    if (this.#path !== IN_MEMORY) removeOldMigrationBackups(this.#path, this.#now());
    return connection;
  }

  #now(): number {
    return this.#options.clock?.now() ?? Date.now();
  }

  /** Every write checks that the file is in its place: nothing is acknowledged that would be lost. */
  #open(trusted = 0): Connection {
    if (this.#isClosed) throw new StoreError("closed", "The store is closed.");
    this.#connection ??= this.#connect();
    const now = performance.now();
    if (now - this.#checkedAt < trusted) return this.#connection;
    this.#checkedAt = now;
    if (this.#connection.hasLostItsFile()) {
      this.#checkedAt = Number.NEGATIVE_INFINITY;
      throw new StoreError("unavailable", `${this.#path} was moved, replaced or deleted while it was open.`);
    }
    return this.#connection;
  }
}

/** Maximum writes that join the transaction of another one. */
const MAX_JOINED = 31;
/** One of so many writes waits for others to join it, even if none did the last time. */
const TRIED = 16;

/** A brief write that waits for its turn. */
interface BriefWrite<T> {
  /** Returns its result, or throws its error, if it ran in the committed transaction of another write. */
  readonly outcome: (() => T) | undefined;
  /** Runs it, and those that wait behind it, in one transaction. */
  readonly run: (connection: Connection) => Promise<T>;
  /** Must be called after the commit of this transaction. */
  readonly committed: () => void;
  /** Must be called at the end. */
  readonly remove: () => void;
}

interface Waiting {
  readonly work: Work<unknown>;
  outcome: (() => unknown) | undefined;
}

/**
 * Gathers brief writes, such as appended messages, into one transaction: a commit takes more time than their
 * statements. Each joins in a savepoint, so that one that fails is undone by itself. None is acknowledged before the
 * commit.
 */
class GatheredWrites {
  readonly #waiting = new Set<Waiting>();
  #count = 0;
  /** True if other writes joined the last one that waited for some. */
  #isJoined = false;

  add<T>(work: Work<T>): BriefWrite<T> {
    // Others may run it, but in the asynchronous context of its caller.
    const own: Waiting = { work: AsyncLocalStorage.bind(work), outcome: undefined };
    let joined: ReadonlyMap<Waiting, () => unknown> = new Map();
    this.#waiting.add(own);
    return {
      get outcome() {
        return own.outcome as (() => T) | undefined;
      },
      run: async (connection) => {
        this.#waiting.delete(own);
        const result = await own.work(connection);
        joined = await this.#join(connection);
        return result as T;
      },
      committed: () => {
        for (const [write, outcome] of joined) write.outcome = outcome;
      },
      remove: () => void this.#waiting.delete(own),
    };
  }

  /** Runs the writes that wait. Those that the commit does not store, because it fails, run again in their turn. */
  async #join(connection: Connection): Promise<ReadonlyMap<Waiting, () => unknown>> {
    const joined = new Map<Waiting, () => unknown>();
    this.#count += 1;
    const isTried = this.#isJoined || this.#count % TRIED === 0;
    // Requests that have arrived get this far in a turn of the event loop.
    if (isTried && this.#waiting.size === 0) await setImmediate();
    for (const write of this.#waiting) {
      if (joined.size >= MAX_JOINED) break;
      if (write.outcome === undefined) joined.set(write, await connection.savepoint(write.work));
    }
    if (isTried) this.#isJoined = joined.size > 0;
    return joined;
  }
}
