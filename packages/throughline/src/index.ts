export { formatMessagesForSummary } from "./compact/format-messages.ts";
export { type GenerateSummaryOptions, generateSummary } from "./compact/generate-summary.ts";
export { extractOriginalTask } from "./compact/original-task.ts";
export { chatProfile } from "./compact/profiles/chat.ts";
export { codingProfile } from "./compact/profiles/coding.ts";
export { contentProfile } from "./compact/profiles/content.ts";
export type { ProfileName } from "./compact/profiles/find-profile.ts";
export type { SummaryProfile } from "./compact/profiles/profile.ts";
export {
  type CompactionSelection,
  filterMessagesForCompaction,
  selectMessagesToCompact,
} from "./compact/select-messages.ts";
export type { AnyModel, LanguageModelLike } from "./compact/to-model.ts";
export type {
  AssembledContext,
  AssembleOptions,
  ContextItem,
  ContextReceipt,
  ContextSignals,
  Expanded,
  PredictedFile,
  PredictedMemory,
  PredictInput,
  Prediction,
  Signal,
  Tier,
  TierShares,
} from "./context/context-api.ts";
export type { ContextService } from "./context/context-service.ts";
export type { LearnPatternsOptions, LearntPatterns } from "./context/patterns/learn/learn-patterns.ts";
export type { OwnActivities } from "./context/tiers/activity-plan.ts";
export { type AiSdkEmbedderOptions, aiSdkEmbedder, type EmbeddingModelLike } from "./embed/ai-sdk-embedder.ts";
export {
  type LoadExtractor,
  type TransformersEmbedderOptions,
  transformersEmbedder,
} from "./embed/transformers-embedder.ts";
export { type WordEmbedderOptions, wordEmbedder } from "./embed/word-embedder.ts";
export { EmbedderError, type EmbedderProblem } from "./errors/embedder-error.ts";
export { ForbiddenError } from "./errors/forbidden-error.ts";
export { InvalidImportError } from "./errors/invalid-import-error.ts";
export { InvalidMessageError } from "./errors/invalid-message-error.ts";
export { InvalidOptionError } from "./errors/invalid-option-error.ts";
export { IrreducibleContextError, type IrreduciblePart } from "./errors/irreducible-context-error.ts";
export { ModelError, type ModelProblem } from "./errors/model-error.ts";
export { NotFoundError } from "./errors/not-found-error.ts";
export type { Place } from "./errors/place.ts";
export { SecretRefusedError } from "./errors/secret-refused-error.ts";
export { SessionBusyError } from "./errors/session-busy-error.ts";
export { StoreError, type StoreProblem } from "./errors/store-error.ts";
export { TapeError, type TapeProblem } from "./errors/tape-error.ts";
export { type ErrorCode, ThroughlineError } from "./errors/throughline-error.ts";
export { TokenRanksError } from "./errors/token-ranks-error.ts";
export { UndoRefusedError } from "./errors/undo-refused-error.ts";
export { UnknownFormatError } from "./errors/unknown-format-error.ts";
export { UnknownProviderError } from "./errors/unknown-provider-error.ts";
export { UnreadableTranscriptError } from "./errors/unreadable-transcript-error.ts";
export { readLedger, slimLedger } from "./ledger/carry-ledger.ts";
export { type CriticalItem, criticalItems } from "./ledger/critical-items.ts";
export { EMPTY_LEDGER, type Ledger } from "./ledger/ledger.ts";
export { reduceLedger } from "./ledger/reduce-ledger.ts";
export { type RenderLedgerOptions, renderLedger } from "./ledger/render-ledger.ts";
export { wordsTokens } from "./ledger/words-tokens.ts";
export type { ConsolidationProgress, ConsolidationStep } from "./memory/consolidate/plan-consolidation.ts";
export type { Claim, ContradictionKind, Finding } from "./memory/contradictions/claim.ts";
export { claimOf, isKnownPair, openContradiction } from "./memory/contradictions/contradictions.ts";
export { findContradiction } from "./memory/contradictions/find-contradiction.ts";
export {
  type Judgement,
  type JudgementCache,
  type JudgeOptions,
  judgeContradiction,
} from "./memory/contradictions/judge-contradiction.ts";
export {
  type ResolvedContradiction,
  type ResolveOptions,
  resolveContradiction,
} from "./memory/contradictions/resolve-contradiction.ts";
export type { MemoryExport } from "./memory/exchange/memory-export.ts";
export { readExport } from "./memory/exchange/read-export.ts";
export {
  type PastedFact,
  type PastedMemories,
  readPastedMemories,
  type SkippedPaste,
  type SkipReason,
} from "./memory/exchange/read-pasted.ts";
export { renderMemoriesMarkdown } from "./memory/exchange/render-markdown.ts";
export { type ExtractOptions, extractFacts } from "./memory/extract/extract-facts.ts";
export type { ExtractedFact, ExtractTurn, TextSpan } from "./memory/extract/extract-turn.ts";
export { type Extraction, extractWithModel, type ModelExtractOptions } from "./memory/extract/extract-with-model.ts";
export { findSecrets, type Secret, type SecretKind } from "./memory/extract/find-secrets.ts";
export { type ParsedFacts, type ProposedFact, parseFacts } from "./memory/extract/parse-facts.ts";
export { segmentFingerprint, shouldExtract } from "./memory/extract/should-extract.ts";
export { type ComparableFact, compareFacts, type FactRelation, findRelated } from "./memory/facts/compare-facts.ts";
export {
  calculateEvictionScore,
  type Eviction,
  evictFactsIfNeeded,
  pruneExpiredFacts,
} from "./memory/facts/evict-facts.ts";
export { type Mention, mergeFact, type Replacement, replaceFact } from "./memory/facts/merge-fact.ts";
export { canPin, pinFact } from "./memory/facts/pin-fact.ts";
export { buildLevels } from "./memory/levels/build-levels.ts";
export { buildLevelsWithModel, type WrittenLevels } from "./memory/levels/build-levels-with-model.ts";
export type { LevelsInput } from "./memory/levels/levels-input.ts";
export type { Consolidated, ConsolidateOptions } from "./memory/service/consolidate-spaces.ts";
export type { Imported, ImportOptions } from "./memory/service/import-memories.ts";
export type { ListOptions } from "./memory/service/list-memories.ts";
export type {
  Ingested,
  IngestInput,
  IngestMessage,
  MemoryPatch,
  RecallHit,
  RecallOptions,
  Remembered,
  RememberInput,
  RememberOutcome,
} from "./memory/service/memory-api.ts";
export type { BlockOptions, MemoryBlock } from "./memory/service/memory-block.ts";
export type { MemoryService } from "./memory/service/memory-service.ts";
export type { NightlyOptions } from "./memory/service/nightly.ts";
export type { PurgeSessionOptions } from "./memory/service/purge-memory.ts";
export type { ReembedOptions, ReembedProgress } from "./memory/service/reembed.ts";
export type { ResolveInput } from "./memory/service/resolve.ts";
export type { Shared } from "./memory/service/share-facts.ts";
export { steadyId } from "./memory/service/steady-id.ts";
export type { Undone } from "./memory/service/undo-entry.ts";
export { convertModelToRich, convertRichToModel, type ForeignModelMessage } from "./message/convert/ai-sdk.ts";
export type { ModelMessage } from "./message/convert/ai-sdk-types.ts";
export {
  type AnthropicBlock,
  type AnthropicConversation,
  type AnthropicMessage,
  convertAnthropicToRich,
  convertRichToAnthropic,
} from "./message/convert/anthropic.ts";
export type { Loss, ToForeignOptions } from "./message/convert/conversion.ts";
export { type LegacyMessage, legacyToRichMessage } from "./message/convert/legacy.ts";
export { convertChatToRich, convertRichToChat, type OpenAiChatMessage } from "./message/convert/openai-chat.ts";
export { convertResponsesToRich, type OpenAiResponsesItem } from "./message/convert/openai-responses.ts";
export { convertUiToRich, type ForeignUiMessage } from "./message/convert/ui-message.ts";
export { convertRichToResponses } from "./message/convert/write-responses.ts";
export type { Provider } from "./message/legality-rules.ts";
export type {
  Message,
  Message as RichMessage,
  MessageError,
  Provenance,
  Role,
  TokenUsage,
} from "./message/message.ts";
export type {
  CompactionMarkerPart,
  FileData,
  FilePart,
  Foreign,
  ForeignFormat,
  OpaquePart,
  Part,
  Part as MessagePart,
  ProviderOptions,
  ReasoningFilePart,
  ReasoningPart,
  StepStartPart,
  TextPart,
  ToolApprovalRequestPart,
  ToolApprovalResponsePart,
  ToolCallPart,
  ToolResultPart,
} from "./message/part.ts";
export type { Repair, RepairCode, RepairedWindow } from "./message/repair/repair.ts";
export { repairWindow } from "./message/repair/repair-window.ts";
export type { ToolContentItem, ToolOutput } from "./message/tool-output.ts";
export {
  adjustBoundaryForToolPairs,
  findToolPairs,
  legalCutPoints,
  type PlacedApproval,
  type PlacedCall,
  type PlacedResult,
  type ToolPairs,
} from "./message/tool-pairs.ts";
export { type Violation, type ViolationCode, validateWindow } from "./message/validate-window.ts";
export type { FetchLike, FetchReply, FetchRequest } from "./model/fetch-like.ts";
export { type OpenAiCompatibleOptions, openAiCompatibleModel } from "./model/openai-compatible-model.ts";
export { type RecordableModel, recordingModel, recordingTextModel } from "./model/recording-model.ts";
export { type ReplayingModel, replayingModel, replayingTextModel } from "./model/replaying-model.ts";
export { createTape, type Tape, type TapedCall, type TapedModel, type TapeOptions } from "./model/tape.ts";
export {
  calculateByteThreshold,
  calculateThreshold,
  checkOverflow,
  type OverflowCheckResult,
  type OverflowOptions,
  shouldCompact,
} from "./overflow/check-overflow.ts";
export { type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "./overflow/compaction-config.ts";
export type { Clock } from "./ports/clock.ts";
export type { Counter } from "./ports/counter.ts";
export type { Embedder, EmbedUse } from "./ports/embedder.ts";
export type { Logger } from "./ports/logger.ts";
export type {
  Artifact,
  ArtifactType,
  Contradiction,
  FactCategory,
  Memory,
  MemoryKind,
  MemoryLevels,
  MemoryScope,
  MemorySource,
  MemoryUsage,
  Resolution,
  StaleSpan,
  Turn,
} from "./ports/memory.ts";
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
} from "./ports/memory-shelf.ts";
export type { Model, ModelReply, ModelRequest } from "./ports/model.ts";
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
} from "./ports/store.ts";
export { needsPruning, type PruneOptions, type PruneResult, pruneToolOutputs } from "./prune/prune-tool-outputs.ts";
export type { NearMiss, Receipt, ReceiptItem, ReceiptRule, ReportedUsage } from "./receipt/receipt.ts";
export {
  type CompactionResult,
  type CompactMessagesOptions,
  compact,
  safeCompact,
} from "./session/compact-messages.ts";
export { CompactionService, type CompactionServiceOptions, type ServiceResult } from "./session/compaction-service.ts";
export { ContextManager, type ContextManagerOptions, type ContextPrepareResult } from "./session/context-manager.ts";
export type { TurnReport } from "./session/learn-from-report.ts";
export { MessageStore } from "./session/message-store.ts";
export type { Session } from "./session/session.ts";
export type { RecalledBlock, Recaller, RecallForTurn } from "./session/session-context.ts";
export type { SessionEvent, SessionEvents, SessionEventType, SessionListener } from "./session/session-events.ts";
export type { CompactionPreview, CompactOptions, Recalled } from "./session/session-options.ts";
export type { CompactionEvent, ListedCompaction } from "./session/session-state.ts";
export type { PreparedTurn, PrepareOptions } from "./session/turn.ts";
export { extractToolNames, WorkingContext } from "./session/working-context.ts";
export { inProcessStore } from "./store/in-process.ts";
export type { Span, SpanAttributes, Tracer } from "./telemetry/tracer.ts";
export { createThroughline, type SessionOptions, type Throughline, type ThroughlineOptions } from "./throughline.ts";
export { loadTokenRanks } from "./tokens/bpe/token-ranks.ts";
export {
  type Calibration,
  type CalibrationEntry,
  calibrationRatio,
  observeUsage,
  type UsageObservation,
} from "./tokens/calibration.ts";
export { countMessageBytes, countPartBytes, countTotalBytes } from "./tokens/count-bytes.ts";
export {
  type CountOptions,
  countMessageTokens,
  countPartTokens,
  countTotalTokens,
  storeTokens,
} from "./tokens/count-message.ts";
export { counterFor, countTokens, countTokensWithModelAdjustment } from "./tokens/count-tokens.ts";
export { estimateMessagesTokens, estimateTokens } from "./tokens/estimate-tokens.ts";
export {
  calculateAvailableTokens,
  DEFAULT_MODEL_LIMITS,
  getContextLimit,
  getModelLimits,
  isApproachingOverflow,
  type ModelLimits,
  type ModelLimitsOptions,
  type ResolvedModelLimits,
} from "./tokens/model-limits.ts";
export { parseTranscript } from "./transcript/parse-transcript.ts";
export { parseTranscriptStream } from "./transcript/parse-transcript-stream.ts";
export {
  type ParsedTranscript,
  type SessionMeta,
  type Skipped,
  TRANSCRIPT_FORMATS,
  type TranscriptCompaction,
  type TranscriptEvent,
  type TranscriptFormat,
  type TranscriptSession,
} from "./transcript/transcript.ts";
