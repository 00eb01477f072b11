export type {
  Erasure,
  ErasureReport,
  JournalChange,
  JournalEntry,
  MemoryCommit,
  MemoryFilter,
  MemoryStore,
  MemoryUse,
  SearchEntry,
  SpaceHead,
  StoredJudgement,
  StoredMemory,
  StoredSearchEntry,
} from "../ports/memory-store.ts";
export type {
  Commit,
  MessageIds,
  MessageLog,
  SessionHead,
  SessionKey,
  SessionNews,
  SessionStore,
  SessionSummary,
  Store,
  StoredCompaction,
  StoredReceipt,
} from "../ports/store.ts";
export { inProcessStore } from "../store/in-process.ts";
