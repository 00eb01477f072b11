/**
 * Rules of a chat with a small window: which facts are injected, compaction, eviction, extraction, and the state of a
 * memory panel.
 *
 * @module
 */
export { MAX_CHAT_FACTS } from "../memory/facts/fact-rules.ts";
export { estimateTokens } from "../tokens/estimate-tokens.ts";
export {
  calculateEvictionScore,
  type EvictOptions,
  evictFactsIfNeeded,
  pruneExpiredFacts,
  type Result,
} from "./compact/archive-facts.ts";
export {
  type CompactedContext,
  type CompactionStage,
  compactContext,
  type ReducedMemory,
  shouldCompact,
  stageOneTrimHistory,
  stageTwoReduceMemory,
  type TrimmedHistory,
} from "./compact/compact-context.ts";
export { type CompactionStatus, CompactionTracker } from "./compact/compaction-tracker.ts";
export { buildIndex } from "./fact-book/book-state.ts";
export { type Classify, classifyByRules } from "./fact-book/classify-fact.ts";
export type {
  FactBook,
  FactBookState,
  FactEdit,
  MemoryIndex,
  NewFact,
  PendingClear,
  Removal,
} from "./fact-book/fact-book.ts";
export type { FactBookMemory } from "./fact-book/fact-changes.ts";
export { createFactBook, type FactBookOptions } from "./fact-book/persistent-fact-book.ts";
export type { StoredText } from "./fact-book/removals.ts";
export {
  buildContextWithMemory,
  type ChatMessage,
  type ContextOptions,
  type ContextWithMemory,
} from "./inject/build-context.ts";
export { calculateMemoryBudget, formatMemoryForPrompt, type WindowOptions } from "./inject/memory-prompt.ts";
export { findForgotten, type MemoryRequest, readMemoryRequest } from "./inject/memory-request.ts";
export {
  type ExplainedMemory,
  explainSelection,
  type MemorySelection,
  type SelectOptions,
  selectMemoriesForInjection,
} from "./inject/select-memories.ts";
export { type MemoryFact, toMemoryFact } from "./memory-fact.ts";
export type { Schedule } from "./schedule.ts";
export {
  type ExtractionBatch,
  type ExtractionState,
  ExtractionTrigger,
  type ExtractionTriggerOptions,
} from "./turn/extraction-trigger.ts";
export {
  type ChatRecallerOptions,
  type ChatSessionOptions,
  type ChatTurn,
  type ChatTurnOptions,
  chatRecaller,
  chatSessionOptions,
  type FactSource,
  prepareChatTurn,
} from "./turn/prepare-chat-turn.ts";
export { type ContextUsage, readContextUsage, type UsageOptions } from "./turn/read-context-usage.ts";
