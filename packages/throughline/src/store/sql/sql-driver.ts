import type { Vault } from "./encryption/vault.ts";

/** Integers of every size come back as numbers, bytes as bytes. */
export type SqlValue = string | number | null | Uint8Array;
export type SqlRow = Readonly<Record<string, SqlValue>>;

/** Statements within one transaction. Texts are written with `?` for each parameter, for every database. */
export interface SqlTransaction {
  all(sql: string, params?: readonly SqlValue[]): Promise<readonly SqlRow[]>;
  /** How many rows were changed. */
  run(sql: string, params?: readonly SqlValue[]): Promise<number>;
}

/** Statements on the store's own tables, of which content is sealed where there is a vault. */
export interface StoreTransaction extends SqlTransaction {
  readonly vault: Vault | undefined;
}

/** A database: where the store's statements run, and what differs between databases. */
export interface SqlDriver {
  readonly dialect: "sqlite" | "postgres";
  /** Reads see one state of the database, whatever others write. */
  read<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /** All or nothing; done again where the database asks for it, so the work must have no other effects. */
  write<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /** As `write`, where more has to be done so that nothing of what was deleted stays behind. */
  erase?<T>(work: (tx: SqlTransaction) => Promise<T>): Promise<T>;
  /** Milliseconds since 1970, as the database tells the time: the same for everybody who uses it. */
  now(tx: SqlTransaction): Promise<number>;
  close(): Promise<void>;
}

/** A database that is open and brought up to date. */
export interface StoreDatabase extends Required<SqlDriver> {
  read<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>;
  write<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>;
  erase<T>(work: (tx: StoreTransaction) => Promise<T>): Promise<T>;
}
