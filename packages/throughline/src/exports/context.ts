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
export type { ContextService, ObserveOptions } from "../context/context-service.ts";
export type { CodePattern, CodePlace } from "../context/patterns/code-unit.ts";
export type {
  LearnedPatterns,
  LearnPatternsOptions,
  ReadTally,
} from "../context/patterns/learn-patterns.ts";
export type {
  ClosedPattern,
  KeptPatterns,
  LearnedPattern,
} from "../context/patterns/save-patterns.ts";
export type { Learned, LearnOptions } from "../context/predict/history-store.ts";
export type { OwnActivities } from "../context/tiers/activity-plan.ts";
