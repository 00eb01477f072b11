import type { Message } from "../message/message.ts";
import type { BlobStore } from "./blob-store.ts";
import type { DocumentStore } from "./document-store.ts";
import type { MemoryStore } from "./memory-store.ts";

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

/** Which messages of a session: by position, or those that contain one of these parts. */
export type MessageFilter =
  | {
      /** Zero-based position of the first message. */
      readonly from?: number | undefined;
      readonly limit?: number | undefined;
    }
  | {
      /** Ids of parts. */
      readonly parts: readonly string[];
    };

/** The messages of sessions. Append-only: a stored message never changes. */
export interface MessageLog {
  /**
   * Appends messages if the session has exactly `at` messages, all or none. Resolves to `false` otherwise (another writer
   * was faster); then nothing is written.
   *
   * @throws StoreError `duplicate-id` if the id of a message or a part is taken in this session.
   */
  append(key: SessionKey, at: number, messages: readonly Message[]): Promise<boolean>;
  /** Messages by id, each once, in the order in which they were appended. Unknown ids are skipped. */
  get(key: SessionKey, ids: readonly string[]): Promise<readonly Message[]>;
  /** Messages in the order in which they were appended; all of them without a filter. */
  list(key: SessionKey, filter?: MessageFilter): Promise<readonly Message[]>;
  /** The ids of these that are taken. */
  taken(key: SessionKey, ids: MessageIds): Promise<MessageIds>;
  /** Time at which each part was marked as compacted, by part id. The content of a marked part does not change. */
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

/** Everything of a session except its messages. */
export interface SessionStore {
  head(key: SessionKey): Promise<SessionHead>;
  /** The state of the last commit that had one, or `undefined`. */
  state(key: SessionKey): Promise<unknown>;
  /**
   * Writes everything in one transaction and increments the revision. Resolves to `false` if the session has another
   * revision than `commit.revision`; then nothing is written.
   *
   * @throws StoreError `duplicate-id` if the id of a compaction or a receipt is taken.
   */
  commit(key: SessionKey, commit: Commit): Promise<boolean>;
  /** All compactions, or those with these ids, oldest first. */
  compactions(key: SessionKey, ids?: readonly string[]): Promise<readonly StoredCompaction[]>;
  /** The newest receipts, oldest first. */
  receipts(key: SessionKey, limit?: number): Promise<readonly StoredReceipt[]>;
  /**
   * Takes or renews the session's lease for `milliseconds`; 0 gives it back. An expired lease is free. Resolves to whether
   * `holder` has the lease now; giving back a lease of another holder has no effect.
   */
  lease(key: SessionKey, holder: string, milliseconds: number): Promise<boolean>;
  /** The sessions of an owner, sorted by id, at most `limit` after the id `after`. */
  list(owner: string, page?: { readonly after?: string; readonly limit?: number }): Promise<readonly SessionSummary[]>;
  /** Deletes a session and everything of it. Leaves no trace in files. */
  purge(key: SessionKey): Promise<void>;
}

/** News of sessions between processes that share a store: small plain data. A store that cannot tell is without it. */
export interface SessionNews {
  publish(key: SessionKey, news: unknown): Promise<void>;
  /** Tells of one session until the returned function is called. What a subscriber publishes reaches it too. */
  subscribe(key: SessionKey, listener: (news: unknown) => void): Promise<() => Promise<void>>;
}

/** Where sessions, memories, documents and blobs are stored. */
export interface Store {
  readonly messages: MessageLog;
  readonly sessions: SessionStore;
  readonly memories: MemoryStore;
  readonly documents: DocumentStore;
  readonly blobs: BlobStore;
  readonly news?: SessionNews;
  close(): Promise<void>;
}
