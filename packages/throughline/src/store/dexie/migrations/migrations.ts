import type { Transaction } from "dexie";
import { conversations } from "./0001-conversations.ts";
import { memory } from "./0002-memory.ts";
import { sessions } from "./0003-sessions.ts";
import { memories } from "./0004-memories.ts";
import { documents } from "./0005-documents.ts";
import { blobs } from "./0006-blobs.ts";

/** All migrations in order. Append only. */
export const migrations: readonly Migration[] = [conversations, memory, sessions, memories, documents, blobs];

/** One schema version. A released migration is never changed. */
export interface Migration {
  readonly version: number;
  /** New tables or changed indexes, in Dexie's syntax: primary key first. */
  readonly stores: Readonly<Record<string, string>>;
  /** Converts existing data in the transaction that changes the schema. */
  readonly upgrade?: (tx: Transaction) => Promise<void>;
}
