import type { Message } from "../message/message.ts";
import type { DocumentShelf } from "./documents.ts";
import type { MemoryShelf } from "./memory-shelf.ts";

/** Whose session, and which. Every call names both: what belongs to one owner is never seen under another. */
export interface SessionKey {
  readonly owner: string;
  readonly sessionId: string;
}

/** What changes in a session, in a few numbers: who holds it in memory sees whether somebody else went on with it. */
export interface SessionHead {
  /** How many messages were ever appended: the position of the next one. */
  readonly appended: number;
  /** How often something was committed. */
  readonly revision: number;
  readonly compactions: number;
  readonly receipts: number;
  readonly lastCompactionAt: number | undefined;
  /** Somebody holds the lease right now. */
  readonly isCompacting: boolean;
}

/** A session in a list. */
export interface SessionSummary extends SessionHead {
  readonly sessionId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface MessageIds {
  readonly messages: readonly string[];
  readonly parts: readonly string[];
}

/** What was said, in order. Append-only: a message is never changed. */
export interface MessageLog {
  /**
   * Adds messages behind the first `at`, all or none. `false` where the session does not end there (somebody else
   * appended): then nothing is written.
   *
   * @throws StoreError `duplicate-id` where an id of a message or of a part is taken in this session.
   */
  append(key: SessionKey, at: number, messages: readonly Message[]): Promise<boolean>;
  /** Messages by their positions, from `from` on, at most `limit`. */
  range(key: SessionKey, from: number, limit?: number): Promise<readonly Message[]>;
  /** Messages by their ids, in the order in which they were appended; those that are not there are left out. */
  byId(key: SessionKey, ids: readonly string[]): Promise<readonly Message[]>;
  /** The message that a part stands in. */
  holding(key: SessionKey, partId: string): Promise<Message | undefined>;
  /** Which of these ids are taken. */
  taken(key: SessionKey, ids: MessageIds): Promise<MessageIds>;
  /** When each part was marked as compacted, by part id. The content of a marked part stays as it was. */
  marks(key: SessionKey): Promise<ReadonlyMap<string, number>>;
}

/** A compaction: the columns that everybody may ask for, and what a session needs to undo it. */
export interface StoredCompaction {
  readonly id: string;
  readonly round: number;
  readonly createdAt: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly summary: string;
  readonly compactedMessageIds: readonly string[];
  /** Plain data that the store does not look into. */
  readonly detail: unknown;
}

export interface StoredReceipt {
  readonly id: string;
  readonly createdAt: number;
  /** Plain data that the store does not look into. */
  readonly value: unknown;
}

/** What a turn leaves behind, written in one transaction. */
export interface Commit {
  /** The revision that this builds on. */
  readonly revision: number;
  /** Replaces the state as a whole: plain data that the store does not look into. */
  readonly state?: unknown;
  readonly compactions?: readonly StoredCompaction[];
  readonly receipts?: readonly StoredReceipt[];
  /** Parts that are compacted from now on: part id to time. */
  readonly marks?: ReadonlyMap<string, number>;
}

/** What a session is beside its messages. */
export interface SessionLog {
  head(key: SessionKey): Promise<SessionHead>;
  /** The state that was last committed, `undefined` where none was. */
  state(key: SessionKey): Promise<unknown>;
  /**
   * Writes all of it and counts the revision up, or nothing: `false` where somebody else committed since.
   *
   * @throws StoreError `duplicate-id` where a compaction or a receipt of that id is there.
   */
  commit(key: SessionKey, commit: Commit): Promise<boolean>;
  /** All compactions in order, or those of these ids. */
  compactions(key: SessionKey, ids?: readonly string[]): Promise<readonly StoredCompaction[]>;
  /** The newest receipts, oldest first. */
  receipts(key: SessionKey, limit?: number): Promise<readonly StoredReceipt[]>;
  /**
   * Takes the session's lease for so long, or renews it; `false` where another holder has it. A lease that was left
   * behind ends by itself.
   */
  acquire(key: SessionKey, holder: string, milliseconds: number): Promise<boolean>;
  /** Gives the lease back; without effect where another holder has it. */
  release(key: SessionKey, holder: string): Promise<void>;
  /** An owner's sessions by id, at most `limit` behind `after`. */
  list(owner: string, page?: { readonly after?: string; readonly limit?: number }): Promise<readonly SessionSummary[]>;
  /** Erases a session and everything of it. */
  purge(key: SessionKey): Promise<void>;
}

/** News of sessions between processes that share a store: small plain data. A store that cannot tell is without it. */
export interface SessionNews {
  publish(key: SessionKey, news: unknown): Promise<void>;
  /** Tells of one session until the returned function is called. What a subscriber publishes reaches it too. */
  subscribe(key: SessionKey, listener: (news: unknown) => void): Promise<() => Promise<void>>;
}

/** Keeps what sessions are made of, memories, and what is learnt from use. */
export interface Store {
  readonly messages: MessageLog;
  readonly sessions: SessionLog;
  readonly memories: MemoryShelf;
  readonly documents: DocumentShelf;
  readonly news?: SessionNews;
  close(): Promise<void>;
}
