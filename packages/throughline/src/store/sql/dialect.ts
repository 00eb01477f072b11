import type { SqlDriver } from "./sql-driver.ts";

export type DialectName = SqlDriver["dialect"];

/** What databases call things differently. */
interface Dialect {
  /** An id: compared and ordered byte by byte. */
  readonly key: string;
  /** A position or a count. */
  readonly integer: string;
  /** A number as JavaScript has it. */
  readonly number: string;
  /** The same, of any size: what is read is what was written. */
  readonly real: string;
  readonly bytes: string;
  /** The names of all tables that are there. */
  readonly tableNames: string;
  /** Keeps others from migrating until the transaction ends; `undefined` where a transaction that writes does so. */
  readonly lockMigrations: string | undefined;
}

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  sqlite: {
    key: "TEXT",
    integer: "INTEGER",
    // A column of integers keeps a fraction as it is.
    number: "INTEGER",
    real: "REAL",
    bytes: "BLOB",
    tableNames: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    lockMigrations: undefined,
  },
  postgres: {
    key: 'TEXT COLLATE "C"',
    integer: "BIGINT",
    number: "DOUBLE PRECISION",
    real: "DOUBLE PRECISION",
    bytes: "BYTEA",
    tableNames: "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()",
    lockMigrations: "SELECT pg_advisory_xact_lock(7264511003942517)",
  },
};
