import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SqlRow, SqlTransaction, SqlValue } from "../sql/sql-driver.ts";
import type { HeldFile } from "./held-file.ts";
import { forgetLogOwner } from "./log-owner.ts";
import { rewriteFile } from "./rewrite-file.ts";

/** Pages of 4 KiB that are written anew without another thread: that takes some ten milliseconds. */
const MAX_PAGES_AT_ONCE = 1_000;

/** `false` if no other thread can do it, as under Node's permission model. Errors of SQLite are thrown. */
async function isRewritten(path: string): Promise<boolean> {
  try {
    await rewriteFile(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode !== undefined) throw error;
    return false;
  }
}

/** An open database. Statements are prepared once: there are few texts. */
export class Connection implements SqlTransaction {
  readonly #database: DatabaseSync;
  /** None where the database is in memory. */
  readonly #file: HeldFile | undefined;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync, file: HeldFile | undefined) {
    this.#database = database;
    this.#file = file;
  }

  async all(sql: string, params: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    return this.#statement(sql).all(...params) as unknown as readonly SqlRow[];
  }

  async run(sql: string, params: readonly SqlValue[] = []): Promise<number> {
    return Number(this.#statement(sql).run(...params).changes);
  }

  /** The file is not at its path any more: what is written is lost with it. */
  hasLostItsFile(): boolean {
    return this.#file?.isGone() ?? false;
  }

  /** A statement of a transaction itself. */
  control(sql: "BEGIN" | "BEGIN IMMEDIATE" | "COMMIT"): void {
    this.#statement(sql).run();
  }

  rollBack(): void {
    try {
      this.#database.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself, as it does when the disk is full.
    }
  }

  /**
   * Writes the file anew: SQLite leaves pieces of what it moved about in the unused parts of pages. A large file is
   * written by another thread. A database in memory has no file that could be read later.
   */
  async rewrite(): Promise<void> {
    if (this.#file === undefined) return;
    const { page_count: pages } = this.#database.prepare("PRAGMA page_count").get() ?? {};
    const { locking_mode: locking } = this.#database.prepare("PRAGMA locking_mode").get() ?? {};
    const isLarge = Number(pages) > MAX_PAGES_AT_ONCE && locking !== "exclusive";
    if (!isLarge || !(await isRewritten(this.#file.path))) this.#database.exec("VACUUM");
  }

  /** Moves what is in the log into the file and empties the log. `false` where somebody still reads from it. */
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
