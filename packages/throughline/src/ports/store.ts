import { lostAttempts, type StoreError } from "../errors/store-errors.ts";
import type { Message } from "../message/message.ts";
import type { MemoryStore } from "./memory-store.ts";

/** User and id of a session. Every call names both, so sessions of different users never mix. */
export interface SessionKey {
  /** Id of the user. */
  readonly userId: string;
  /** Id of the session, unique for the user. */
  readonly sessionId: string;
}

/** Counters of a session. A session cached in memory is up to date as long as they do not change. */
export interface SessionHead {
  /** Number of messages appended so far, which is the position of the next one. */
  readonly appended: number;
  /** Number of commits. */
  readonly revision: number;
  /** Number of compactions. */
  readonly compactions: number;
  /** Number of receipts. */
  readonly receipts: number;
  /** Milliseconds since 1970; `undefined` if there was no compaction. */
  readonly lastCompactionAt: number | undefined;
  /** True if the session's lease is held. */
  readonly isCompacting: boolean;
}

/** A session as listed by `SessionStore.list`. */
export interface SessionSummary extends SessionHead {
  readonly sessionId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** Ids of messages and parts. */
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
   * Appends messages if the session has exactly `at` messages, all or none.
   *
   * @param key User and id of the session. The first append creates it.
   * @param at Number of messages that the caller expects in the session.
   * @param messages Messages to append.
   * @returns `false` if the session has another number of messages, because another writer was faster; then nothing is
   *   written.
   * @throws StoreError `duplicate-id` if the id of a message or a part is taken in this session.
   */
  append(key: SessionKey, at: number, messages: readonly Message[]): Promise<boolean>;
  /**
   * Returns messages by id, each once, in the order in which they were appended. Unknown ids are skipped.
   *
   * @param key User and id of the session.
   * @param ids Ids of messages.
   */
  get(key: SessionKey, ids: readonly string[]): Promise<readonly Message[]>;
  /**
   * Returns messages in the order in which they were appended.
   *
   * @param key User and id of the session.
   * @param filter Position and number, or the parts that a message contains. Default: all messages.
   */
  list(key: SessionKey, filter?: MessageFilter): Promise<readonly Message[]>;
  /**
   * Returns those of the given ids that are already used in the session.
   *
   * @param key User and id of the session.
   * @param ids Ids of messages and parts.
   */
  taken(key: SessionKey, ids: MessageIds): Promise<MessageIds>;
  /**
   * Returns the time at which each part was marked as compacted, by part id. The content of a marked part does not
   * change.
   *
   * @param key User and id of the session.
   */
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

/** A receipt. The store does not look into its value. */
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
  /**
   * Returns the counters of a session; all are 0 for an unknown one.
   *
   * @param key User and id of the session.
   */
  head(key: SessionKey): Promise<SessionHead>;
  /**
   * Returns the state of the last commit that had one; otherwise `undefined`.
   *
   * @param key User and id of the session.
   */
  state(key: SessionKey): Promise<unknown>;
  /**
   * Writes everything in one transaction and increments the revision.
   *
   * @param key User and id of the session.
   * @param commit Changes, with the revision that they are based on.
   * @returns `false` if the session has another revision than `commit.revision`; then nothing is written.
   * @throws StoreError `duplicate-id` if the id of a compaction or a receipt is taken.
   */
  commit(key: SessionKey, commit: Commit): Promise<boolean>;
  /**
   * Returns compactions, oldest first.
   *
   * @param key User and id of the session.
   * @param ids Ids of compactions. Default: all.
   */
  compactions(key: SessionKey, ids?: readonly string[]): Promise<readonly StoredCompaction[]>;
  /**
   * Returns the newest receipts, oldest first.
   *
   * @param key User and id of the session.
   * @param limit Maximum number of receipts. Default: all.
   */
  receipts(key: SessionKey, limit?: number): Promise<readonly StoredReceipt[]>;
  /**
   * Takes or renews the session's lease. An expired lease is free.
   *
   * @param key User and id of the session.
   * @param holder Name of the process or object that asks.
   * @param milliseconds Time until the lease expires; 0 gives it back. Giving back a lease of another holder has no
   *   effect.
   * @returns whether `holder` has the lease now.
   */
  lease(key: SessionKey, holder: string, milliseconds: number): Promise<boolean>;
  /**
   * Returns the sessions of a user, sorted by id.
   *
   * @param userId Id of the user.
   * @param page Maximum number (`limit`), and the id after which the list starts (`after`). Default: all.
   */
  list(userId: string, page?: { readonly after?: string; readonly limit?: number }): Promise<readonly SessionSummary[]>;
  /**
   * Deletes a session with all its data. No deleted data remains in files.
   *
   * @param key User and id of the session.
   */
  purge(key: SessionKey): Promise<void>;
}

/** Notifications between processes that share a store: small plain data. Optional for a store. */
export interface SessionNotifications {
  /**
   * Sends a notification to all subscribers of a session.
   *
   * @param key User and id of the session.
   * @param notification Small plain data.
   */
  publish(key: SessionKey, notification: unknown): Promise<void>;
  /**
   * Calls a listener for each notification of a session, those of the same process included.
   *
   * @param key User and id of the session.
   * @param listener Called with each notification.
   * @returns a function that ends the subscription.
   */
  subscribe(key: SessionKey, listener: (notification: unknown) => void): Promise<() => Promise<void>>;
}

/**
 * Storage for sessions, memories, documents and blobs. The package has stores for SQLite, PostgreSQL, IndexedDB and
 * memory; `storeChecks` of `throughline/test` checks your own.
 *
 * @example
 * const store: Store = inProcessStore();
 * const tl = await createThroughline({ store });
 */
export interface Store {
  /** Messages of sessions. */
  readonly messages: MessageLog;
  /** State, compactions, receipts and leases of sessions. */
  readonly sessions: SessionStore;
  /** Memories and their journal. */
  readonly memories: MemoryStore;
  /** Named JSON documents. */
  readonly documents: DocumentStore;
  /** Named byte arrays. */
  readonly blobs: BlobStore;
  /** Notifications between processes. Without it, `session.on` gets events of its own process only. */
  readonly notifications?: SessionNotifications;
  /** Closes the store. Later calls fail with StoreError `closed`; another `close` does nothing. */
  close(): Promise<void>;
}

/** Owner of sessions whose user is not given. */
export const DEFAULT_USER = "local";

/** Attempts to append or commit before concurrent writers count as an error. */
export const MAX_TRIES = 200;

/**
 * Commits changes to a session, whatever its revision. If another process commits meanwhile, the changes are made
 * again.
 *
 * @throws StoreError `busy` after {@link MAX_TRIES} lost attempts.
 */
export async function commitSession(
  { sessions }: Pick<Store, "sessions">,
  key: SessionKey,
  change: () => Promise<Omit<Commit, "revision">>,
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const { revision } = await sessions.head(key);
    if (await sessions.commit(key, { revision, ...(await change()) })) return;
  }
  throw busy("commit to", key.sessionId);
}

/** The error after {@link MAX_TRIES} lost attempts. */
export function busy(what: string, sessionId: string): StoreError {
  return lostAttempts(`${what} session ${sessionId}`, MAX_TRIES);
}

/** A named byte array. */
export interface StoredBlob {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Blobs to write in one transaction. */
export interface BlobWrite {
  /** The epoch of the space (`memories.head`) when the content of the blobs was read. */
  readonly epoch: number;
  /** A blob replaces the stored one with the same name. Of two with one name the last one counts. */
  readonly blobs: readonly StoredBlob[];
  /** Names of blobs to remove, unless `blobs` has them. */
  readonly remove?: readonly string[];
}

/**
 * Byte arrays that are derived from the memories of a space, such as segments of a search index. They can be made
 * again:
 * `memories.erase` deletes all blobs of its space in the same transaction, because they may contain erased content.
 * Content is encrypted as that of memories is; names are not.
 */
export interface BlobStore {
  /**
   * Returns blobs by name, in the order of `names`. Unknown names are skipped.
   *
   * @param space Space of the blobs.
   * @param names Names to read, or a prefix to read all blobs whose names start with it, sorted by name.
   */
  get(space: string, names: readonly string[] | { readonly prefix: string }): Promise<readonly StoredBlob[]>;
  /**
   * Returns the names of the blobs of a space, sorted.
   *
   * @param space Space of the blobs.
   * @param prefix Only names that start with it. Default: all.
   */
  list(space: string, prefix?: string): Promise<readonly string[]>;
  /**
   * Writes and removes blobs, all or none.
   *
   * @param space Space of the blobs.
   * @param write Blobs to write and names to remove, with the epoch that they are based on.
   * @returns `false` if the space has another epoch than `write.epoch`: memories were erased that the blobs may
   *   contain, and nothing is written.
   */
  put(space: string, write: BlobWrite): Promise<boolean>;
  /**
   * Deletes blobs. No deleted data remains in files.
   *
   * @param space Space of the blobs.
   * @param name One name, or a prefix to delete all blobs whose names start with it.
   */
  delete(space: string, name: string | { readonly prefix: string }): Promise<void>;
}

/** Name of the document with the commits of a project. */
export const COMMIT_HISTORY = "predict/history";

/** A document and its revision: how often it was written. */
export interface StoredDocument {
  readonly revision: number;
  /** Plain data. The store does not look into it. */
  readonly value: unknown;
}

/**
 * Named JSON documents: habits, file histories, calibrations and settings. A document belongs to a space, as a memory
 * does, and is invisible from other spaces.
 */
export interface DocumentStore {
  /**
   * Returns a document; `undefined` if it does not exist.
   *
   * @param space Space of the document.
   * @param name Name of the document.
   */
  get(space: string, name: string): Promise<StoredDocument | undefined>;
  /**
   * Replaces a document and increments its revision.
   *
   * @param space Space of the document.
   * @param name Name of the document.
   * @param document New value, with the revision that it is based on; 0 for a new document.
   * @returns `false` if the stored revision is another one; then nothing is written.
   */
  put(space: string, name: string, document: StoredDocument): Promise<boolean>;
  /**
   * Returns the names of the documents of a space, sorted.
   *
   * @param space Space of the documents.
   * @param prefix Only names that start with it. Default: all.
   */
  list(space: string, prefix?: string): Promise<readonly string[]>;
  /**
   * Deletes documents. No deleted data remains in files.
   *
   * @param space Space of the documents.
   * @param name One name, or a prefix to delete all documents whose names start with it.
   */
  delete(space: string, name: string | { readonly prefix: string }): Promise<void>;
}
