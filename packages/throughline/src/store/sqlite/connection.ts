import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { SqlRow, SqlTransaction, SqlValue } from "../sql/sql-driver.ts";

/** An open database. Statements are prepared once: there are few texts. */
export class Connection implements SqlTransaction {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  async all(sql: string, params: readonly SqlValue[] = []): Promise<readonly SqlRow[]> {
    return this.#statement(sql).all(...params) as unknown as readonly SqlRow[];
  }

  async run(sql: string, params: readonly SqlValue[] = []): Promise<number> {
    return Number(this.#statement(sql).run(...params).changes);
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

  /** Moves what is in the log into the file and empties the log, where nobody reads from it. */
  emptyLog(): void {
    this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  }

  close(): void {
    this.#statements.clear();
    this.#database.close();
  }

  #statement(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
