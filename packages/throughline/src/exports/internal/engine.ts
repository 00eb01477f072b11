export { isDeleted } from "../../ports/memory.ts";
/**
 * Parts of sessions, memory and context that the other packages assemble in their own way.
 *
 * Not part of the public API: semantic versioning does not cover it, and any release may change or remove its names. It
 * is for `@throughline/server`, `@throughline/cli` and the Studio of the same version.
 *
 * @module
 */

export { fence } from "../../compact/prose/generate-summary.ts";
export { MODEL, resolveModel, withCallListener } from "../../compact/prose/model-adapter.ts";
export { type CompactionEvent, type Entry, materialize } from "../../compact/window.ts";
export { commitEpisode, monthEpisodes } from "../../context/episodes/commit-episodes.ts";
export {
  addDigests,
  emptyCounts,
  type OutcomeCounts,
  previewUpsert,
  readDigests,
  sumCounts,
  upsertLearned,
} from "../../context/episodes/learned-entries.ts";
export { type RecordPorts, readRecord } from "../../context/episodes/session-record.ts";
export { SessionRecorder } from "../../context/episodes/session-recorder.ts";
export {
  childOfType,
  codeChildren,
  descendants,
  part,
  parts,
  stringValue,
} from "../../context/patterns/read/syntax-nodes.ts";
export { readRoles } from "../../context/tiers/read-roles.ts";
export { learnWorkflows, mineWorkflows } from "../../context/workflows/learn-workflows.ts";
export { type SessionRuns, simpleCommands } from "../../context/workflows/run-recorder.ts";
export { readUserWords, withoutInjected } from "../../ledger/quoted/user-words.ts";
export { findConstraints } from "../../ledger/read/find-rules.ts";
export { readCall } from "../../ledger/read/read-call.ts";
export { nextNight } from "../../memory/consolidate/nightly.ts";
export { readSession, readSpeech } from "../../memory/ingest/session-reader.ts";
export { asData, BLOCK_CLOSING, BLOCK_OPENING } from "../../memory/recall/recall-block.ts";
export type { InterruptedMove } from "../../memory/remember/change-memory.ts";
export { draftMemory } from "../../memory/remember/draft-memory.ts";
export { resumeUndo, resumeUpdate } from "../../memory/resume-changes.ts";
export { type IndexCacheStats, indexCacheStats } from "../../memory/search/index-cache.ts";
export { answerSearches, type SearchExecutor, type SearchThread } from "../../memory/search/thread-search.ts";
export { projectOfSpace, spaceOf } from "../../memory/space/spaces.ts";
export { memoryText } from "../../memory/staleness/mark-stale.ts";
export { EXPORT_FORMAT } from "../../memory/transfer/memory-export.ts";
export {
  type ImportRecord,
  listImportRecords,
  type RecordedImport,
  recordImport,
} from "../../memory/undo/import-record.ts";
export {
  convertGeminiToRich,
  convertRichToGemini,
  type GeminiContent,
  geminiIds,
} from "../../message/convert/gemini.ts";
export { CallLog, type CallStatistics, type LastFailure, readCallStatistics, sumCalls } from "../../model/call-log.ts";
export { firstListedModel, listModels } from "../../model/openai-compatible-model.ts";
export { type OpenMemory, openMemory } from "../../open-memory.ts";
export type { Commit, SourceFile, SyntaxNode, Workspace } from "../../ports/workspace.ts";
export { turnWindows } from "../../session/session-options.ts";
export { assignIds } from "../../session/state/session-repository.ts";
export { EMPTY_STATE, fromStored, type SessionState } from "../../session/state/session-state.ts";
export { SessionCollector, UniqueIds } from "../../transcript/session-writer.ts";
export { type UndoImportDeps, type UndoneImport, undoImport } from "../../undo-import.ts";
