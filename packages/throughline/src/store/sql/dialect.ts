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

/** Fixed: the number of partitions of a table cannot be changed later. */
const PARTITIONS = 8;

interface TableDefinition {
  readonly name: string;
  readonly columns: readonly string[];
  /** Small rows are stored in the primary key index itself. */
  readonly isSmall?: boolean;
  /** Partition column. Default: owner. */
  readonly partitionedBy?: "owner" | "space";
}

/** Unique index of ids per session. */
export function indexIds(table: string): string {
  return `CREATE UNIQUE INDEX ${idIndex(table)} ON ${table} (owner, session_id, id)`;
}

/** Table expression for lookups by id. */
export function searchedById(table: string, dialect: DialectName): string {
  return searchedBy(table, idIndex(table), dialect);
}

/** Table expression for lookups by an index. Without a hint SQLite assumes short sessions and scans them. */
export function searchedBy(table: string, index: string, dialect: DialectName): string {
  return dialect === "sqlite" ? `${table} INDEXED BY ${index}` : table;
}

function idIndex(table: string): string {
  return `${table}_by_id`;
}

/** SQL that creates a table, partitioned if the database supports it. */
export function createTable(dialect: DialectName, definition: TableDefinition): string[] {
  const { name, columns, isSmall = false, partitionedBy = "owner" } = definition;
  const body = `CREATE TABLE ${name} (\n  ${columns.join(",\n  ")}\n)`;
  if (dialect === "sqlite") return [isSmall ? `${body} WITHOUT ROWID` : body];
  const partitions = Array.from(
    { length: PARTITIONS },
    (_, i) => `CREATE TABLE ${name}_p${i} PARTITION OF ${name} FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${i})`,
  );
  return [`${body} PARTITION BY HASH (${partitionedBy})`, ...partitions];
}
