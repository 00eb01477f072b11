import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SqlRow, SqlTransaction, SqlValue } from "../sql/sql-driver.ts";
import { forgetLogOwner, type OpenFile } from "./database-file.ts";

/** Maximum 4 KiB pages to rewrite in this thread: takes about ten milliseconds. */
const MAX_PAGES_AT_ONCE = 1_000;

/**
 * Rewrites in a worker thread; `false` if none can be started, as under Node's permission model. SQLite errors are
 * thrown.
 */
async function isRewritten(path: string): Promise<boolean> {
  try {
    await rewriteFile(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode !== undefined) throw error;
    return false;
  }
}

/** An open database. Prepared statements are cached: there are few different texts. */
export class Connection implements SqlTransaction {
  readonly #database: DatabaseSync;
  /** Undefined for a database in memory. */
  readonly #file: OpenFile | undefined;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, file: OpenFile | undefined) {
    this.#database = database;
    this.#file = file;
  }

  async all(sql: string, params: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    return this.#statement(sql).all(...params) as unknown as readonly SqlRow[];
  }

  async run(sql: string, params: readonly SqlValue[] = []): Promise<number> {
    return Number(this.#statement(sql).run(...params).changes);
  }

  /** True if the file was moved or deleted: writes would be lost. */
  hasLostItsFile(): boolean {
    return this.#file?.isGone() ?? false;
  }

  /** Runs a transaction statement. */
  control(sql: "BEGIN" | "BEGIN IMMEDIATE" | "COMMIT" | "SAVEPOINT own" | "RELEASE own" | "ROLLBACK TO own"): void {
    this.#statement(sql).run();
  }

  /**
   * Runs work within the current transaction, and undoes this work alone if it fails. Returns a function that returns
   * the result or throws the error. Throws if SQLite has undone the whole transaction, as it does if the disk is full.
   */
  async savepoint<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<() => T> {
    this.control("SAVEPOINT own");
    try {
      const result = await work(this);
      this.control("RELEASE own");
      return () => result;
    } catch (error) {
      this.control("ROLLBACK TO own");
      this.control("RELEASE own");
      return () => {
        throw error;
      };
    }
  }

  rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has already rolled back, as it does if the disk is full.
    }
  }

  /**
   * Rewrites the file: SQLite leaves fragments of moved rows in unused parts of pages. A large file is rewritten in
   * another thread. Does nothing for a database in memory.
   */
  async rewrite(): Promise<void> {
    if (this.#file === undefined) return;
    const { page_count: pages } = this.#database.prepare("PRAGMA page_count").get() ?? {};
    const { locking_mode: locking } = this.#database.prepare("PRAGMA locking_mode").get() ?? {};
    const isLarge = Number(pages) > MAX_PAGES_AT_ONCE && locking !== "exclusive";
    if (!isLarge || !(await isRewritten(this.#file.path))) this.#database.exec("VACUUM");
  }

  /** Moves the write-ahead log into the file and truncates it; `false` if another connection still reads from it. */
  emptyLog(): boolean {
    return this.#statement("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
    this.#file?.release();
    if (this.#file !== undefined) forgetLogOwner(this.#file.path);
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Runs in another thread with its own connection, and posts the error, if any. */
const SCRIPT = `
// Older Node warns once that SQLite is experimental.
process.emitWarning = () => {};
const { parentPort, workerData: path } = require("node:worker_threads");
const { DatabaseSync } = require("node:sqlite");
try {
  const database = new DatabaseSync(path);
  try {
    database.exec("PRAGMA busy_timeout = 20; PRAGMA secure_delete = ON; VACUUM");
  } finally {
    database.close();
  }
} catch ({ message, code, errcode }) {
  parentPort.postMessage({ message, code, errcode });
}
`;

/**
 * Rewrites a database file in another thread: SQLite does it in one step, which would block this thread for seconds.
 * The file must be open here, so that the other connection is not the last one to close it.
 */
async function rewriteFile(path: string): Promise<void> {
  // Loaded here, because few processes need it.
  const { Worker } = await import("node:worker_threads");
  const worker = new Worker(SCRIPT, { eval: true, workerData: path, execArgv: [] });
  await new Promise<void>((resolve, reject) => {
    worker.once("message", ({ message, ...about }) => reject(Object.assign(new Error(message), about)));
    worker.once("error", reject);
    worker.once("exit", (code) =>
      code === 0
        ? resolve()
        : reject(
            new Error(
              `Could not rewrite ${path}: its worker thread ended with code ${code}. The file is unchanged. Try again.`,
            ),
          ),
    );
  });
}
