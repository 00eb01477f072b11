import type { SqlDriver } from "./sql-driver.ts";

export type DialectName = SqlDriver["dialect"];

/** Differences between databases. */
interface Dialect {
  /** Type of an id: compared byte by byte. */
  readonly key: string;
  /** Type of a position or count. */
  readonly integer: string;
  /** Type of a JavaScript number. */
  readonly number: string;
  /** Type of a floating-point number without loss. */
  readonly real: string;
  readonly bytes: string;
  /** Query for the names of all tables. */
  readonly tableNames: string;
  /** Locks migrations until the transaction ends; `undefined` if a write transaction already does. */
  readonly lockMigrations: string | undefined;
}

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  sqlite: {
    key: "TEXT",
    integer: "INTEGER",
    // INTEGER columns of SQLite keep fractions.
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
