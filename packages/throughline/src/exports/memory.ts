/**
 * Types of `tl.memory`, and its rules as functions: extraction, reconciliation, contradictions, levels.
 *
 * @module
 */
export type { AskOptions } from "../compact/ask-model.ts";
export {
  type OpenAiCompatibleEmbedderOptions,
  openAiCompatibleEmbedder,
} from "../embed/openai-compatible-embedder.ts";
export { findSecrets, type Secret, type SecretKind } from "../internal/find-secrets.ts";
export {
  AUDIT_KINDS,
  type Audit,
  type AuditFinding,
  type AuditKind,
  type AuditOptions,
  type AuditProgress,
  auditMemories,
} from "../memory/browse/audit-memories.ts";
export type {
  BrowsedMemory,
  BrowseOptions,
  ForeignAudit,
  MemoryBrowser,
  MemoryFacets,
  MemoryPage,
} from "../memory/browse/memory-browser.ts";
export type { MemoryChange, MemoryEvidence, MemoryHistory, MemoryVersion } from "../memory/browse/memory-history.ts";
export type { MemoryConditions, MemoryStatus } from "../memory/browse/memory-table.ts";
export { type ForeignFormat, type ForeignStore, readForeignStore } from "../memory/browse/read-foreign-store.ts";
export type { AuditState } from "../memory/browse/stored-audit.ts";
export type { Consolidated, ConsolidateOptions, PlannedChange } from "../memory/consolidate/consolidate-spaces.ts";
export type { NightlyOptions } from "../memory/consolidate/nightly.ts";
export type { ConsolidationProgress, ConsolidationStep } from "../memory/consolidate/plan-consolidation.ts";
export type { Shared } from "../memory/consolidate/share-facts.ts";
export { type ExtractOptions, extractFacts } from "../memory/extract/extract-facts.ts";
export {
  type ExtractedFact,
  type ExtractTurn,
  segmentFingerprint,
  shouldExtract,
  type TextSpan,
} from "../memory/extract/extract-turn.ts";
export { type Extraction, extractWithModel, type ModelExtractOptions } from "../memory/extract/extract-with-model.ts";
export { type ParsedFacts, type ProposedFact, parseFacts } from "../memory/extract/parse-facts.ts";
export {
  type ComparableFact,
  compareFacts,
  type FactRelation,
  findRelated,
  type Mention,
  mergeFact,
  type Replacement,
  replaceFact,
} from "../memory/facts/compare-facts.ts";
export {
  type ChatFact,
  canPin,
  type Eviction,
  evictionScore,
  pinFact,
  planEviction,
  planExpiry,
} from "../memory/facts/fact-rules.ts";
export { stableId } from "../memory/ids.ts";
export type { ListOptions, MemoryCounts, ProjectSummary, UserProjects } from "../memory/list-memories.ts";
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
} from "../memory/memory-api.ts";
export type { MemoryService } from "../memory/memory-service.ts";
export type { PurgeSessionOptions } from "../memory/purge-memory.ts";
export type { BlockOptions, MemoryBlock } from "../memory/recall/recall-block.ts";
export type { RelevantMemories } from "../memory/recall/recall-memories.ts";
export type { Comparison, StatementRelation } from "../memory/reconcile/compare-statements.ts";
export {
  type Claim,
  claimOf,
  compareClaims,
  type Finding,
  findContradiction,
  isKnownPair,
  openContradiction,
  type ResolvedContradiction,
  type ResolveOptions,
  resolveContradiction,
} from "../memory/reconcile/contradictions.ts";
export { type JudgedRelation, type Judgement, type JudgeOptions, judgeRelations } from "../memory/reconcile/judge.ts";
export type { ResolveInput } from "../memory/remember/resolve.ts";
export type { ReembedOptions, ReembedProgress } from "../memory/space/reembed.ts";
export { buildLevels, type LevelsInput, type ShorterLevels } from "../memory/text-levels/build-levels.ts";
export { buildLevelsWithModel, type WrittenLevels } from "../memory/text-levels/build-levels-with-model.ts";
export type { Imported, ImportOptions, ImportProgress } from "../memory/transfer/import-memories.ts";
export { type MemoryExport, readExport } from "../memory/transfer/memory-export.ts";
export {
  type PastedFact,
  type PastedMemories,
  readPastedMemories,
  type SkippedPaste,
  type SkipReason,
} from "../memory/transfer/read-pasted.ts";
export { renderMemoriesMarkdown } from "../memory/transfer/render-markdown.ts";
export type { ImportRecord } from "../memory/undo/import-record.ts";
export type { KeptMemory, RevertedMemories } from "../memory/undo/revert-import.ts";
export type { Undone } from "../memory/undo/undo-entry.ts";
export type { TimeOptions } from "../ports/clock.ts";
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
  PendingFact,
  Resolution,
  StaleMark,
  StaleSpan,
  Utterance,
} from "../ports/memory.ts";
export type { ErasureReport, JournalChange, JournalEntry } from "../ports/memory-store.ts";
