import type { Conversation } from "../../src/store/dexie/dexie-store.ts";

/** Outcome of a call: its result or its error. */
export type Outcome =
  | { readonly value: unknown }
  | { readonly problem: string; readonly message: string; readonly hint: string };

/** Written ids. */
interface Writes {
  readonly messages: readonly string[];
  readonly receipts: readonly string[];
  readonly memories: readonly string[];
  readonly learned: readonly string[];
}

/** Functions of a page. Each call names its database, whose store stays open from then on. */
export interface PageApi {
  runCheck(database: string, name: string): Promise<void>;

  open(database: string): Promise<Outcome>;
  close(database: string): Promise<void>;
  append(database: string, id: string, text?: string): Promise<Outcome>;
  /** Appends until it is refused: the ids that were taken, and why no other was. */
  appendUntilRefused(
    database: string,
    prefix: string,
    text: string,
  ): Promise<{ readonly ids: string[]; readonly last: Outcome }>;
  /** Writes of all kinds, as fast as possible, each based on the current data. */
  writeMany(database: string, prefix: string, count: number): Promise<Writes>;
  /** Commits something that no database can keep. */
  commitFunction(database: string): Promise<Outcome>;
  /** Ids that the store returns. */
  written(database: string): Promise<Writes>;
  head(database: string): Promise<unknown>;

  /** Reads of all kinds: the number of requested rows, and the tables that were read without a range. */
  readAll(database: string): Promise<{ readonly requests: number; readonly whole: readonly string[] }>;

  /** Sets the clock of the page's stores to a fixed time. */
  setClock(milliseconds: number): Promise<void>;
  /** The lease on the session and that on work in the space. */
  acquire(database: string, holder: string, milliseconds: number): Promise<[session: boolean, work: boolean]>;
  release(database: string, holder: string): Promise<void>;

  /** Starts recording notifications of other tabs and of the session. */
  listen(database: string): Promise<void>;
  received(database: string): Promise<{ readonly writes: number; readonly notifications: readonly unknown[] }>;
  publish(database: string, notification: unknown): Promise<void>;

  putConversation(database: string, owner: string, conversation: Conversation): Promise<void>;
  listConversations(database: string, owner: string): Promise<readonly Conversation[]>;
  getConversation(database: string, owner: string, id: string): Promise<Conversation | undefined>;
  removeConversation(database: string, owner: string, id: string): Promise<void>;

  /** Writes a word to every table of a session and a space, and another word to a second session and space. */
  writeWord(database: string, word: string, other: string): Promise<void>;
  purgeWord(database: string): Promise<void>;
  /** Number of occurrences of a word in the database. */
  traces(database: string, word: string): Promise<number>;

  /** Makes a database as the code of that version did, with something in its tables. */
  makeVersion(database: string, version: number): Promise<void>;
  /** Brings a database into a version that the code does not know yet: one table is gone in it, one is new. */
  makeNewer(database: string): Promise<void>;
  /** Keeps a database open, and ignores requests to release it. */
  hold(database: string): Promise<void>;
  /** The version, and the indexes of each table. */
  schema(database: string): Promise<{ readonly version: number; readonly tables: Record<string, readonly string[]> }>;
  /** All rows of a table. */
  rows(database: string, table: string): Promise<readonly Record<string, unknown>[]>;
}

/** Functions of a page with the whole library. */
export interface LifeApi {
  /** Runs a scenario of memories and returns everything it can observe. */
  live(database: string): Promise<unknown[]>;
  /** The same for search segments. */
  segments(database: string): Promise<unknown[]>;
}
