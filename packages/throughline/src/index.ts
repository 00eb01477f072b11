/**
 * Context compaction and long-term memory for agents and chats.
 *
 * The root holds what most programs need. The rest has a subpath by area: `throughline/messages`, `/tokens`,
 * `/transcript`, `/compact`, `/memory`, `/context`, `/store`, `/ai-sdk`, `/chat`, `/react`, `/sqlite`, `/postgres`,
 * `/dexie` and `/test`.
 *
 * @module
 */

export type { WindowEdit, WindowEditKind } from "./compact/edited-parts.ts";
export type { CompactionPreview } from "./compact/plan-compaction.ts";
export type { ProfileName, SummaryProfile } from "./compact/profiles.ts";
export type { AnyModel, LanguageModelLike } from "./compact/prose/model-adapter.ts";
export type { CompactionEvent } from "./compact/window.ts";
export type { AssembledContext, AssembleOptions, ContextSignals, Signal } from "./context/context-api.ts";
export type { ContextService } from "./context/context-service.ts";
export { type AiSdkEmbedderOptions, aiSdkEmbedder, type EmbeddingModelLike } from "./embed/ai-sdk-embedder.ts";
export {
  type LoadExtractor,
  type TransformersEmbedderOptions,
  transformersEmbedder,
} from "./embed/transformers-embedder.ts";
export { type WordEmbedderOptions, wordEmbedder } from "./embed/word-embedder.ts";
export type { Place } from "./errors/input-errors.ts";
export {
  InvalidMessageError,
  InvalidOptionError,
  UnknownFormatError,
  UnknownProviderError,
  UnreadableTranscriptError,
} from "./errors/input-errors.ts";
export { ForbiddenError, InvalidImportError, SecretRefusedError, UndoRefusedError } from "./errors/memory-errors.ts";
export {
  EmbedderError,
  type EmbedderProblem,
  ModelError,
  type ModelProblem,
  TokenRanksError,
} from "./errors/model-errors.ts";
export { IrreducibleContextError, type IrreduciblePart, SessionBusyError } from "./errors/session-errors.ts";
export { NotFoundError, StoreError, type StoreProblem } from "./errors/store-errors.ts";
export { type ErrorCode, ThroughlineError } from "./errors/throughline-error.ts";
export type { FetchLike, FetchReply, FetchRequest } from "./http/model-server.ts";
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
} from "./memory/memory-api.ts";
export type { MemoryService } from "./memory/memory-service.ts";
export type { ForeignModelMessage } from "./message/convert/ai-sdk.ts";
export type { ModelMessage } from "./message/convert/ai-sdk-types.ts";
export type { Provider } from "./message/legality-rules.ts";
export type { Message } from "./message/message.ts";
export type { Part } from "./message/part.ts";
export { repairWindow } from "./message/repair/repair-window.ts";
export { type Violation, type ViolationCode, validateWindow } from "./message/validate-window.ts";
export { type OpenAiCompatibleOptions, openAiCompatibleModel } from "./model/openai-compatible-model.ts";
export type { CompactionConfig } from "./overflow/compaction-config.ts";
export type { Clock } from "./ports/clock.ts";
export type { Embedder, EmbedUse } from "./ports/embedder.ts";
export type { Logger } from "./ports/logger.ts";
export type { Contradiction, Memory, MemoryKind, MemoryScope } from "./ports/memory.ts";
export type { Model, ModelCall, ModelReply, ModelRequest } from "./ports/model.ts";
export type { SessionSummary, Store } from "./ports/store.ts";
export type { NearMiss, Receipt, ReceiptItem, ReceiptRule, ReportedUsage, UserRulePlace } from "./receipt/receipt.ts";
export type { CompactOptions, PreviewOptions } from "./session/compact-session.ts";
export type { Recalled } from "./session/edit-window.ts";
export type { TurnReport } from "./session/learn-from-report.ts";
export type { Session } from "./session/session.ts";
export type { SessionEvent, SessionEvents, SessionEventType, SessionListener } from "./session/session-events.ts";
export type { PreparedTurn, PrepareOptions, SessionConfig, SessionOptions } from "./session/session-options.ts";
export type { EditOptions, SessionWindow, WindowMessage } from "./session/session-window.ts";
export type { ListedCompaction } from "./session/state/session-state.ts";
export { inProcessStore } from "./store/in-process.ts";
export type { Span, SpanAttributes, Tracer } from "./telemetry/with-span.ts";
export { createThroughline } from "./throughline.ts";
export type { Throughline, ThroughlineOptions } from "./throughline-api.ts";
export { loadTokenRanks } from "./tokens/bpe/token-ranks.ts";
export { countTokens } from "./tokens/count-tokens.ts";
export { getModelLimits, type ModelLimits } from "./tokens/model-limits.ts";
export { parseTranscript } from "./transcript/parse-transcript.ts";
export {
  type ParsedTranscript,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
  type TranscriptSession,
} from "./transcript/transcript.ts";
