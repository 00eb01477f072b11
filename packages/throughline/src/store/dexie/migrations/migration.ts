import type { Transaction } from "dexie";

/** One schema version. A released migration is never changed. */
export interface Migration {
  readonly version: number;
  /** New tables or changed indexes, in Dexie's syntax: primary key first. */
  readonly stores: Readonly<Record<string, string>>;
  /** Converts existing data in the transaction that changes the schema. */
  readonly upgrade?: (tx: Transaction) => Promise<void>;
}
