import type { DialectName } from "./dialect.ts";

/** Fixed once and for all: the number of partitions of a table cannot be changed later. */
const PARTITIONS = 8;

interface TableDefinition {
  readonly name: string;
  readonly columns: readonly string[];
  /** Rows are small: they are kept in the order of the primary key itself. */
  readonly isSmall?: boolean;
  /** What its rows belong to; their owner, where nothing is said. */
  readonly partitionedBy?: "owner" | "space";
}

/** Each id is there once in a session, and is found by it. */
export function indexIds(table: string): string {
  return `CREATE UNIQUE INDEX ${idIndex(table)} ON ${table} (owner, session_id, id)`;
}

/** The table, to be searched for ids. */
export function searchedById(table: string, dialect: DialectName): string {
  return searchedBy(table, idIndex(table), dialect);
}

/** The table, to be searched by an index. Without being told, SQLite takes all sessions for short and reads them through. */
export function searchedBy(table: string, index: string, dialect: DialectName): string {
  return dialect === "sqlite" ? `${table} INDEXED BY ${index}` : table;
}

function idIndex(table: string): string {
  return `${table}_by_id`;
}

/** The statements that create a table, partitioned where the database can do that. */
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
