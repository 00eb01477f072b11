import type { ContentCipher } from "./encryption/content-cipher.ts";

/** All integers are returned as numbers, and bytes as bytes. */
export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Statements within one transaction. Parameters are written as `?` for every database. */
export interface SqlTransaction {
  all(sql: string, params?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** Returns the number of changed rows. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>;
}

/** A statement with its parameters. */
export type SqlStatement = readonly [sql: string, params: readonly SqlValue[]];

/** Statements on the store's tables. Content is encrypted if there is a cipher. */
export interface StoreTransaction extends SqlTransaction {
  readonly cipher: ContentCipher | undefined;
}

/** A database connection: runs statements and hides differences between databases. */
export interface SqlDriver {
  readonly dialect: "sqlite" | "postgres";
  /** Reads one snapshot of the database. */
  read<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /** Reads the rows of several statements from one snapshot, in one round trip. Default: `read`. */
  select?(statements: readonly SqlStatement[]): Promise<readonly (readonly SqlRow[])[]>;
  /**
   * Writes atomically. May be repeated by the database, so the work must have no other side effects. Work that is brief
   * may share a commit with others.
   */
  write<T>(work: (tx: SqlTransaction) => Promise<T>, isBrief?: boolean): Promise<T>;
  /** Same as `write`, and ensures that no deleted data remains, also in copies from before a migration. */
  erase?<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /** Copies the database before a migration, and returns the path of the copy, if it made one. */
  backUp?(version: number): Promise<string | undefined>;
  /** Database time in milliseconds since 1970: the same for all clients. */
  now(tx: SqlTransaction): Promise<number>;
  close(): Promise<void>;
}

/** The rows of each statement, and the cipher of the database. */
export interface SelectedRows {
  readonly rows: readonly (readonly SqlRow[])[];
  readonly cipher: ContentCipher | undefined;
}

/** An open and migrated database. */
export interface StoreDatabase extends Required<Omit<SqlDriver, "backUp" | "select">> {
  /** Missing if the driver has none. */
  readonly selectRows?: ((statements: readonly SqlStatement[]) => Promise<SelectedRows>) | undefined;
  read<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>;
  write<T>(work: (tx: StoreTransaction) => Promise<T>, isBrief?: boolean): Promise<T>;
  erase<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>;
}

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
