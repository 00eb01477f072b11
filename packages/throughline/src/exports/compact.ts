/**
 * Pruning, compaction and the ledger for programs that keep their own list of messages.
 *
 * @module
 */

export {
  type CompactionResult,
  CompactionService,
  type CompactionServiceOptions,
  type CompactMessagesOptions,
  compact,
  type ListCompactionOptions,
  type ServiceResult,
  safeCompact,
} from "../compact/presets/compact-messages.ts";
export {
  type CompactionLogOptions,
  getLastCompactionEvent,
  markMessagesCompacted,
  saveCompactionEvent,
} from "../compact/presets/compaction-log.ts";
export {
  ContextManager,
  type ContextManagerOptions,
  type ContextPrepareResult,
} from "../compact/presets/context-manager.ts";
export type { ProfileName, SummaryProfile } from "../compact/profiles.ts";
export { chatProfile, codingProfile, contentProfile } from "../compact/profiles.ts";
export {
  formatMessagesForSummary,
  type GenerateSummaryOptions,
  generateSummary,
} from "../compact/prose/generate-summary.ts";
export type { AnyModel, LanguageModelLike } from "../compact/prose/model-adapter.ts";
export {
  type CompactionSelection,
  extractOriginalTask,
  filterMessagesForCompaction,
  selectMessagesToCompact,
} from "../compact/select-messages.ts";
export { extractToolNames, WorkingContext } from "../compact/working-context.ts";
export { EMPTY_LEDGER, type Ledger } from "../ledger/ledger.ts";
export { reduceLedger } from "../ledger/reduce-ledger.ts";
export { wordsTokens } from "../ledger/render/note-draft.ts";
export type { NoteReader } from "../ledger/render/note-style.ts";
export type { RenderLedgerOptions } from "../ledger/render/note-writer.ts";
export { renderLedger } from "../ledger/render/render-ledger.ts";
export { type CriticalItem, criticalItems } from "../ledger/render/state-lines.ts";
export { readLedger, slimLedger } from "../ledger/serialize-ledger.ts";
export {
  COMPACTION_THRESHOLD,
  calculateByteThreshold,
  calculateThreshold,
  checkOverflow,
  type OverflowCheckResult,
  type OverflowOptions,
  shouldCompact,
} from "../overflow/check-overflow.ts";
export { type CompactionConfig, DEFAULT_COMPACTION_CONFIG, DEFAULT_CONFIG } from "../overflow/compaction-config.ts";
export type { Counter } from "../ports/model.ts";
export { needsPruning, type PruneOptions, type PruneResult, pruneToolOutputs } from "../prune/prune-tool-outputs.ts";
export { ContextCoordinator, type SessionSource } from "../session/context-coordinator.ts";
export type {
  CompactionCompleteEvent,
  CompactionEventType,
  CompactionStartEvent,
} from "../session/session-events.ts";
export type { RecalledBlock, Recaller, RecallForTurn } from "../session/session-options.ts";
export { MessageStore, type PartUpdates } from "../session/state/message-store.ts";
