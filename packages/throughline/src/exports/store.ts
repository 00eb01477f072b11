export type {
  Erasure,
  ErasureReport,
  JournalChange,
  JournalEntry,
  MemoryCommit,
  MemoryFilter,
  MemoryShelf,
  MemoryUse,
  SearchEntry,
  ShelvedMemory,
  SpaceHead,
  StoredJudgement,
  StoredSearchEntry,
} from "../ports/memory-shelf.ts";
export type {
  Commit,
  MessageIds,
  MessageLog,
  SessionHead,
  SessionKey,
  SessionLog,
  SessionNews,
  SessionSummary,
  Store,
  StoredCompaction,
  StoredReceipt,
} from "../ports/store.ts";
export { inProcessStore } from "../store/in-process.ts";
