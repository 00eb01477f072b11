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
