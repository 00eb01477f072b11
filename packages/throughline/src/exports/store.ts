/**
 * The `Store` interface and its parts, for your own store. Check it with `storeChecks` from `throughline/test`.
 *
 * @module
 * @example
 * const tl = await createThroughline({ store: inProcessStore() });
 */
export type { BlobStore, BlobWrite, StoredBlob } from "../ports/blob-store.ts";
export type { DocumentStore, StoredDocument } from "../ports/document-store.ts";
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
export type {
  Commit,
  MessageFilter,
  MessageIds,
  MessageLog,
  SessionHead,
  SessionKey,
  SessionNotifications,
  SessionStore,
  SessionSummary,
  Store,
  StoredCompaction,
  StoredReceipt,
} from "../ports/store.ts";
export { inProcessStore } from "../store/in-process.ts";
