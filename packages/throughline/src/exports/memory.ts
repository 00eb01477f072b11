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
} from "../memory/audit/audit-memories.ts";
export { type ForeignFormat, type ForeignStore, readForeignStore } from "../memory/audit/read-foreign-store.ts";
export type {
  BrowsedMemory,
  BrowseOptions,
  ForeignAudit,
  MemoryBrowser,
  MemoryFacets,
  MemoryPage,
} from "../memory/browse/memory-browser.ts";
export type { MemoryEvidence } from "../memory/browse/memory-evidence.ts";
export type { MemoryChange, MemoryHistory, MemoryVersion } from "../memory/browse/memory-history.ts";
export type { MemoryConditions, MemoryStatus } from "../memory/browse/memory-row.ts";
export type { AuditState } from "../memory/browse/stored-audit.ts";
export type { Consolidated, ConsolidateOptions, PlannedChange } from "../memory/consolidate/consolidate-spaces.ts";
export type { NightlyOptions } from "../memory/consolidate/nightly.ts";
export type { ConsolidationProgress, ConsolidationStep } from "../memory/consolidate/plan-consolidation.ts";
export type { Shared } from "../memory/consolidate/share-facts.ts";
export { claimOf, isKnownPair, openContradiction } from "../memory/contradictions/contradictions.ts";
export {
  type ResolvedContradiction,
  type ResolveOptions,
  resolveContradiction,
} from "../memory/contradictions/resolve-contradiction.ts";
export type { Imported, ImportOptions, ImportProgress } from "../memory/exchange/import-memories.ts";
export type { MemoryExport } from "../memory/exchange/memory-export.ts";
export { readExport } from "../memory/exchange/read-export.ts";
export {
  type PastedFact,
  type PastedMemories,
  readPastedMemories,
  type SkippedPaste,
  type SkipReason,
} from "../memory/exchange/read-pasted.ts";
export { renderMemoriesMarkdown } from "../memory/exchange/render-markdown.ts";
export { type ExtractOptions, extractFacts } from "../memory/extract/extract-facts.ts";
export type { ExtractedFact, ExtractTurn, TextSpan } from "../memory/extract/extract-turn.ts";
export { type Extraction, extractWithModel, type ModelExtractOptions } from "../memory/extract/extract-with-model.ts";
export { type ParsedFacts, type ProposedFact, parseFacts } from "../memory/extract/parse-facts.ts";
export { segmentFingerprint, shouldExtract } from "../memory/extract/should-extract.ts";
export { type ComparableFact, compareFacts, type FactRelation, findRelated } from "../memory/facts/compare-facts.ts";
export {
  calculateEvictionScore,
  type Eviction,
  evictFactsIfNeeded,
  pruneExpiredFacts,
} from "../memory/facts/evict-facts.ts";
export type { ChatFact } from "../memory/facts/fact-rules.ts";
export { type Mention, mergeFact, type Replacement, replaceFact } from "../memory/facts/merge-fact.ts";
export { canPin, pinFact } from "../memory/facts/pin-fact.ts";
export { stableId } from "../memory/ids.ts";
export type { ImportRecord } from "../memory/imports/import-record.ts";
export type { KeptMemory, RevertedMemories } from "../memory/imports/revert-import.ts";
export type { Undone } from "../memory/journal/undo-entry.ts";
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
export type { PurgeSessionOptions } from "../memory/purge/purge-memory.ts";
export type { BlockOptions, MemoryBlock } from "../memory/recall/memory-block.ts";
export type { RelevantMemories } from "../memory/recall/recall-memories.ts";
export type { Claim, Finding } from "../memory/reconcile/compare-claims.ts";
export { compareClaims, findContradiction } from "../memory/reconcile/compare-claims.ts";
export type { Comparison, StatementRelation } from "../memory/reconcile/compare-statements.ts";
export { type JudgedRelation, type Judgement, type JudgeOptions, judgeRelations } from "../memory/reconcile/judge.ts";
export type { ResolveInput } from "../memory/remember/resolve.ts";
export type { ReembedOptions, ReembedProgress } from "../memory/space/reembed.ts";
export type { LevelsInput, ShorterLevels } from "../memory/text-levels/bound-levels.ts";
export { buildLevels } from "../memory/text-levels/build-levels.ts";
export { buildLevelsWithModel, type WrittenLevels } from "../memory/text-levels/build-levels-with-model.ts";
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
