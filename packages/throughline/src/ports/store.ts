import type { Message } from "../message/message.ts";
import type { BlobStore } from "./blob-store.ts";
import type { DocumentStore } from "./document-store.ts";
import type { MemoryStore } from "./memory-store.ts";

/** Owner and id of a session. Every call names both, so sessions of different owners never mix. */
export interface SessionKey {
  readonly owner: string;
  readonly sessionId: string;
}

/** Counters of a session. A session cached in memory is up to date as long as they do not change. */
export interface SessionHead {
  /** Number of messages appended so far, which is the position of the next one. */
  readonly appended: number;
  /** Number of commits. */
  readonly revision: number;
  readonly compactions: number;
  readonly receipts: number;
  readonly lastCompactionAt: number | undefined;
  /** Whether the session's lease is held. */
  readonly isCompacting: boolean;
}

/** A session as listed by `SessionStore.list`. */
export interface SessionSummary extends SessionHead {
  readonly sessionId: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface MessageIds {
  readonly messages: readonly string[];
  readonly parts: readonly string[];
}

/** Selects messages of a session by position, or by the parts that they contain. */
export type MessageFilter =
  | {
      /** Zero-based position of the first message. */
      readonly from?: number | undefined;
      readonly limit?: number | undefined;
    }
  | {
      /** Ids of parts. A message is selected if it contains one of them. */
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
  /** Those of the given ids that are already used in the session. */
  taken(key: SessionKey, ids: MessageIds): Promise<MessageIds>;
  /** Time at which each part was marked as compacted, by part id. The content of a marked part does not change. */
  marks(key: SessionKey): Promise<ReadonlyMap<string, number>>;
}

/** A compaction: its public columns, and the `detail` that a session needs to undo it. */
export interface StoredCompaction {
  readonly id: string;
  readonly round: number;
  readonly createdAt: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly summary: string;
  readonly compactedMessageIds: readonly string[];
  /** Plain data, opaque to the store. */
  readonly detail: unknown;
}

export interface StoredReceipt {
  readonly id: string;
  readonly createdAt: number;
  /** Plain data, opaque to the store. */
  readonly value: unknown;
}

/** Changes of a turn, written in one transaction. */
export interface Commit {
  /** Revision that the changes are based on. */
  readonly revision: number;
  /** New state, which replaces the stored one as a whole. Plain data, opaque to the store. */
  readonly state?: unknown;
  readonly compactions?: readonly StoredCompaction[];
  readonly receipts?: readonly StoredReceipt[];
  /** Newly compacted parts: part id to time of compaction. */
  readonly marks?: ReadonlyMap<string, number>;
}

/** State, compactions, receipts and leases of sessions; all data of a session except its messages. */
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
  /** The newest `limit` receipts, oldest first. Default: all. */
  receipts(key: SessionKey, limit?: number): Promise<readonly StoredReceipt[]>;
  /**
   * Takes or renews the session's lease for `milliseconds`; 0 gives it back. An expired lease is free. Resolves to whether
   * `holder` has the lease now; giving back a lease of another holder has no effect.
   */
  lease(key: SessionKey, holder: string, milliseconds: number): Promise<boolean>;
  /** The sessions of an owner, sorted by id, at most `limit` after the id `after`. */
  list(owner: string, page?: { readonly after?: string; readonly limit?: number }): Promise<readonly SessionSummary[]>;
  /** Deletes a session with all its data. No deleted data remains in files. */
  purge(key: SessionKey): Promise<void>;
}

/** Notifications between processes that share a store: small plain data. Optional for a store. */
export interface SessionNews {
  publish(key: SessionKey, news: unknown): Promise<void>;
  /** Calls the listener for each notification of a session, its own included, until the returned function is called. */
  subscribe(key: SessionKey, listener: (news: unknown) => void): Promise<() => Promise<void>>;
}

/** Storage for sessions, memories, documents and blobs. */
export interface Store {
  readonly messages: MessageLog;
  readonly sessions: SessionStore;
  readonly memories: MemoryStore;
  readonly documents: DocumentStore;
  readonly blobs: BlobStore;
  readonly news?: SessionNews;
  close(): Promise<void>;
}
