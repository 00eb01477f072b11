/**
 * Not part of the public API: semantic versioning does not cover it, and any release may change or remove its names. It
 * is for `@throughline/server`, `@throughline/cli` and the Studio of the same version.
 *
 * @module
 */

export { fence } from "../compact/prose/generate-summary.ts";
export { withCallListener } from "../compact/prose/model-adapter.ts";
export {
  type CompactionReview,
  CompactionReviewer,
  type NameUse,
  NeededNames,
  namedIn,
  readNameUses,
} from "../compact/review-compactions.ts";
export { type CompactionEvent, type Entry, materialize } from "../compact/window.ts";
export { commitEpisode } from "../context/episodes/commit-episode.ts";
export {
  addDigests,
  emptyCounts,
  type OutcomeCounts,
  previewUpsert,
  readDigests,
  sumCounts,
  upsertLearned,
} from "../context/episodes/learned-entries.ts";
export { monthEpisodes } from "../context/episodes/month-episodes.ts";
export type { RecordPorts } from "../context/episodes/record-ports.ts";
export { readRecord } from "../context/episodes/session-record.ts";
export { SessionRecorder } from "../context/episodes/session-recorder.ts";
export { childOfType, codeChildren, descendants, part, parts, stringValue } from "../context/patterns/syntax/nodes.ts";
export { readRoles } from "../context/tiers/roles/read-roles.ts";
export { learnWorkflows, mineWorkflows } from "../context/workflows/learn-workflows.ts";
export { simpleCommands } from "../context/workflows/simple-commands.ts";
export type { SessionRuns } from "../context/workflows/step-run.ts";
export {
  ABOVE_ZERO,
  AT_LEAST_ZERO,
  CHECKED_LATER,
  checkOptions,
  FLAG,
  FUNCTION,
  findSimilar,
  OBJECT,
  type OptionRules,
  TEXT,
  TEXTS,
} from "../errors/check-options.ts";
export { lostAttempts } from "../errors/store-error.ts";
export { readServer } from "../http/model-server.ts";
export { type UndoImportDeps, type UndoneImport, undoImport } from "../imports/undo-import.ts";
export {
  type RecordedMasks,
  type RecordedSession,
  RecordedSessions,
  redactSession,
} from "../inspect/recorded-sessions.ts";
export type { CompactedItem, ItemFate } from "../inspect/session-inspector.ts";
export {
  type InspectedCall,
  type InspectedCompaction,
  type SessionInspection,
  SessionInspector,
} from "../inspect/session-inspector.ts";
export type { NameEvidence, NamePlace } from "../inspect/session-report.ts";
export {
  type AlternativeSummary,
  namesGone,
  type ReportDeps,
  type ReportedCompaction,
  type ReportedMessage,
  reportHtml,
  reportSession,
  type SessionReport,
  summarizeMessages,
  worstCompaction,
} from "../inspect/session-report.ts";
export type { CacheUse, RepeatedLookup, RulePresence } from "../inspect/session-trackers.ts";
export {
  BANDS,
  type Band,
  type Bands,
  type SentWindow,
  type SizedMessage,
  windowOfCall,
} from "../inspect/window-tracker.ts";
export { findSecrets, isNamedSecret, redactSecrets } from "../internal/find-secrets.ts";
export {
  arrayField,
  isRecord,
  type JsonRecord,
  numberField,
  omitUndefined,
  otherFields,
  recordField,
  sameJson,
  stringField,
  tryParseJson,
  valuesText,
} from "../internal/json.ts";
export { Lru } from "../internal/lru.ts";
export { messageOf } from "../internal/message-of.ts";
export { cutMiddle, oneLine, stripInvisible } from "../internal/one-line.ts";
export { parseJsonYielding } from "../internal/parse-json-yielding.ts";
export { mapYielding, yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
export { splitSentences } from "../language/sentences.ts";
export { readTerms, termHashes } from "../language/terms.ts";
export { readUserWords, withoutInjected } from "../ledger/quoted/user-words.ts";
export { findConstraints } from "../ledger/read/find-rules.ts";
export { readCall } from "../ledger/read/read-call.ts";
export { nextNight } from "../memory/consolidate/nightly.ts";
export { EXPORT_FORMAT } from "../memory/exchange/memory-export.ts";
export { type ImportRecord, listImportRecords } from "../memory/imports/import-record.ts";
export { type RecordedImport, recordImport } from "../memory/imports/record-import.ts";
export { readSession, readSpeech } from "../memory/ingest/session-reader.ts";
export { memoryText } from "../memory/memory-text.ts";
export { isDeleted } from "../memory/memory-values.ts";
export { asData, BLOCK_CLOSING, BLOCK_OPENING } from "../memory/recall/data-block.ts";
export type { InterruptedMove } from "../memory/remember/change-memory.ts";
export { draftMemory } from "../memory/remember/draft-memory.ts";
export { resumeUndo, resumeUpdate } from "../memory/resume-changes.ts";
export { answerSearches } from "../memory/search/answer-searches.ts";
export { type IndexCacheStats, indexCacheStats } from "../memory/search/index-cache.ts";
export type { SearchExecutor, SearchThread } from "../memory/search/thread-search.ts";
export { projectOfSpace, spaceOf } from "../memory/space/spaces.ts";
export { convertGeminiToRich, convertRichToGemini, type GeminiContent, geminiIds } from "../message/convert/gemini.ts";
export { PROVIDERS } from "../message/legality-rules.ts";
export { messageText } from "../message/message-text.ts";
export { type RedactedMessage, redactMessage, redactParts } from "../message/redact-message.ts";
export { pageOf } from "../message/text-page.ts";
export { isErrorOutput, toolOutputText } from "../message/tool-output.ts";
export {
  type CallCounts,
  CallLog,
  type CallStatistics,
  type LastFailure,
  noCalls,
  readCallStatistics,
  sumCalls,
} from "../model/call-log.ts";
export { firstListedModel, listModels } from "../model/openai-compatible-model.ts";
export { type OpenMemory, openMemory } from "../open-memory.ts";
export type { DocumentStore } from "../ports/document-store.ts";
export { QUIET } from "../ports/logger.ts";
export type {
  AnswerClaim,
  AnswerStore,
  EventLog,
  InterruptedRequest,
  JobFilter,
  JobQueue,
  JobState,
  NewEvent,
  NewJob,
  ServerStore,
  StoredAnswer,
  StoredEvent,
  StoredJob,
  StoredToken,
  TokenScope,
  TokenStore,
} from "../ports/server-store.ts";
export type { Commit, SourceFile, SyntaxNode, Workspace } from "../ports/workspace.ts";
export { turnWindows } from "../session/session-options.ts";
export { assignIds } from "../session/state/session-repository.ts";
export { EMPTY_STATE, fromStored, type SessionState } from "../session/state/session-state.ts";
export { checkPostgresOptions } from "../store/postgres/options.ts";
export { PostgresPool } from "../store/postgres/pool.ts";
export { createPostgresDriver } from "../store/postgres/postgres-driver.ts";
export { withStoreErrors } from "../store/postgres/store-problem.ts";
export { noWriteDedup } from "../store/postgres/write-dedup.ts";
export { DIALECTS, type DialectName } from "../store/sql/dialect.ts";
export { sqlDocumentStore } from "../store/sql/documents/document-store.ts";
export { checkSealed } from "../store/sql/encryption/check-sealed.ts";
export { createContentCipher, unwrapKey } from "../store/sql/encryption/content-cipher.ts";
export { readKeptKey } from "../store/sql/encryption/stored-key.ts";
export { versionOf } from "../store/sql/migrate.ts";
export { LATEST_VERSION } from "../store/sql/migrations/migrations.ts";
export { numberOf } from "../store/sql/row-values.ts";
export { sqlServerStore } from "../store/sql/server/server-store.ts";
export type { SqlTransaction, StoreTransaction } from "../store/sql/sql-driver.ts";
export { withCipher } from "../store/sql/store-database.ts";
export { APPLICATION_ID } from "../store/sqlite/inspect-file.ts";
export { BACKUP_DAYS, findMigrationBackups, type MigrationBackup } from "../store/sqlite/migration-backups.ts";
export { toStoreError } from "../store/sqlite/sqlite-error.ts";
export { useVocabularyCache } from "../tokens/bpe/vocabulary-cache.ts";
export { jsonText } from "../tokens/json-text.ts";
export { createTokenCounter } from "../tokens/token-counter.ts";
export { SessionCollector } from "../transcript/collect-sessions.ts";
export { UniqueIds } from "../transcript/session-writer.ts";
export { cutText } from "../trim/cut-large-parts.ts";
