import type { Conversation } from "../../src/store/dexie/dexie-store.ts";

/** What a call came to: its result, or the error that it was refused with. */
export type Outcome =
  | { readonly value: unknown }
  | { readonly problem: string; readonly message: string; readonly hint: string };

/** What was written, by id. */
interface Writes {
  readonly messages: readonly string[];
  readonly receipts: readonly string[];
  readonly memories: readonly string[];
  readonly learned: readonly string[];
}

/** What can be called in a page. Each call names the database that it works on: its store stays open from then on. */
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
  /** Writes of all kinds, as fast as it can, each on what it finds. */
  writeMany(database: string, prefix: string, count: number): Promise<Writes>;
  /** Commits something that no database can keep. */
  commitFunction(database: string): Promise<Outcome>;
  /** What the store says that there is. */
  written(database: string): Promise<Writes>;
  head(database: string): Promise<unknown>;

  /** Reads of all kinds: how many rows were asked for in all, and what was asked for whole instead of a stretch of it. */
  readAll(database: string): Promise<{ readonly requests: number; readonly whole: readonly string[] }>;

  /** Sets the clock of the page's stores; it stands still from then on. */
  setClock(milliseconds: number): Promise<void>;
  /** The lease on the session and that on work in the space. */
  acquire(database: string, holder: string, milliseconds: number): Promise<[session: boolean, work: boolean]>;
  release(database: string, holder: string): Promise<void>;

  /** Notes from now on what is heard of other tabs, and of the session. */
  listen(database: string): Promise<void>;
  heard(database: string): Promise<{ readonly writes: number; readonly news: readonly unknown[] }>;
  publish(database: string, news: unknown): Promise<void>;

  putConversation(database: string, owner: string, conversation: Conversation): Promise<void>;
  listConversations(database: string, owner: string): Promise<readonly Conversation[]>;
  getConversation(database: string, owner: string, id: string): Promise<Conversation | undefined>;
  removeConversation(database: string, owner: string, id: string): Promise<void>;

  /** Writes a word to all that a session and a space can hold, and another to what stands beside it. */
  writeWord(database: string, word: string, other: string): Promise<void>;
  purgeWord(database: string): Promise<void>;
  /** How often a word stands in what the database holds. */
  traces(database: string, word: string): Promise<number>;

  /** Makes a database as the code of that version did, with something in its tables. */
  makeVersion(database: string, version: number): Promise<void>;
  /** Brings a database into a version that the code does not know yet: one table is gone in it, one is new. */
  makeNewer(database: string): Promise<void>;
  /** Holds a database open as it is, and does not let go when it is asked to. */
  hold(database: string): Promise<void>;
  /** The version, and the indexes of each table. */
  schema(database: string): Promise<{ readonly version: number; readonly tables: Record<string, readonly string[]> }>;
  /** A table as it stands in the database. */
  rows(database: string, table: string): Promise<readonly Record<string, unknown>[]>;
}

/** What can be called in a page that has all of Throughline. */
export interface LifeApi {
  /** The life of some memories, and all that can be seen of it. */
  live(database: string): Promise<unknown[]>;
}
