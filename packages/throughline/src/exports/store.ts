/**
 * The `Store` interface and its parts, for your own store. Check it with `storeChecks` from `throughline/test`.
 *
 * @module
 * @example
 * const tl = await createThroughline({ store: inProcessStore() });
 */

export type {
  ContradictionFilter,
  EntryFilter,
  Erasure,
  ErasureReport,
  JournalChange,
  JournalEntry,
  JournalFilter,
  MemoryCollections,
  MemoryCommit,
  MemoryFilter,
  MemoryFilters,
  MemoryRecord,
  MemoryStore,
  MemoryUse,
  NewJudgement,
  ProjectContents,
  ProjectFilter,
  SearchEntry,
  SpaceHead,
  SpaceItems,
  SpaceLookup,
  StoredJudgement,
  StoredMemory,
  StoredSearchEntry,
  UtteranceFilter,
} from "../ports/memory-store.ts";
export type { ServerStore } from "../ports/server-store.ts";
export type {
  BlobStore,
  BlobWrite,
  Commit,
  DocumentStore,
  MessageFilter,
  MessageIds,
  MessageLog,
  SessionHead,
  SessionKey,
  SessionNotifications,
  SessionStore,
  SessionSummary,
  Store,
  StoredBlob,
  StoredCompaction,
  StoredDocument,
  StoredReceipt,
} from "../ports/store.ts";
export { inProcessStore } from "../store/in-process.ts";
