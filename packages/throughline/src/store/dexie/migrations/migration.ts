import type { Transaction } from "dexie";

/** One step of the database's schema. A migration that was released is never changed: the next one adds to it. */
export interface Migration {
  readonly version: number;
  /** Tables that are new or have other indexes, in Dexie's words: the primary key first. */
  readonly stores: Readonly<Record<string, string>>;
  /** Brings what is there into the new form, in the transaction that changes the schema. */
  readonly upgrade?: (tx: Transaction) => Promise<void>;
}
