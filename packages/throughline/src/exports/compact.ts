/**
 * Pruning, compaction and the ledger for programs that keep their own list of messages.
 *
 * @module
 */

export { extractOriginalTask } from "../compact/original-task.ts";
export {
  type CompactionResult,
  type CompactMessagesOptions,
  compact,
  safeCompact,
} from "../compact/presets/compact-messages.ts";
export {
  type CompactionLogOptions,
  getLastCompactionEvent,
  markMessagesCompacted,
  saveCompactionEvent,
} from "../compact/presets/compaction-log.ts";
export {
  CompactionService,
  type CompactionServiceOptions,
  type ServiceResult,
} from "../compact/presets/compaction-service.ts";
export {
  ContextManager,
  type ContextManagerOptions,
  type ContextPrepareResult,
} from "../compact/presets/context-manager.ts";
export {
  type CompactionSelection,
  filterMessagesForCompaction,
  selectMessagesToCompact,
} from "../compact/presets/select-messages.ts";
export { extractToolNames, WorkingContext } from "../compact/presets/working-context.ts";
export type { ProfileName, SummaryProfile } from "../compact/profiles.ts";
export { chatProfile, codingProfile, contentProfile } from "../compact/profiles.ts";
export { formatMessagesForSummary } from "../compact/prose/format-messages.ts";
export { type GenerateSummaryOptions, generateSummary } from "../compact/prose/generate-summary.ts";
export type { LanguageModelLike } from "../compact/prose/language-model.ts";
export type { AnyModel } from "../compact/prose/to-model.ts";
export { type CriticalItem, criticalItems } from "../ledger/critical-items.ts";
export { EMPTY_LEDGER, type Ledger } from "../ledger/ledger.ts";
export { reduceLedger } from "../ledger/reduce-ledger.ts";
export type { NoteReader } from "../ledger/render/note-style.ts";
export type { RenderLedgerOptions } from "../ledger/render/note-writer.ts";
export { wordsTokens } from "../ledger/render/quote-tokens.ts";
export { renderLedger } from "../ledger/render/render-ledger.ts";
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
export { MessageStore, type PartUpdates } from "../session/state/message-store.ts";
export type { RecalledBlock, Recaller, RecallForTurn } from "../session/state/session-deps.ts";
