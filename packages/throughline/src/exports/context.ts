/**
 * Types of `tl.context`: assembled contexts, signals and predictions.
 *
 * @module
 */
export type {
  AssembledContext,
  AssembleOptions,
  ContextItem,
  ContextMiss,
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
} from "../context/context-api.ts";
export type { ContextService } from "../context/context-service.ts";
export type { LearnedPatterns, LearnPatternsOptions } from "../context/patterns/learn/learn-patterns.ts";
export type { ReadCounts as ReadTally } from "../context/patterns/learn/read-project.ts";
export type {
  ClosedPattern,
  LearnedPattern,
  SavedPatterns as KeptPatterns,
} from "../context/patterns/learn/save-patterns.ts";
export type { CodePattern, CodePlace } from "../context/patterns/pattern.ts";
export type { Learned, LearnOptions } from "../context/predict/learn/history-store.ts";
export type { OwnActivities } from "../context/tiers/activity-plan.ts";
