/**
 * Token counters, model limits and calibration with reported usage.
 *
 * @module
 * @example
 * const tokens = countTotalTokens(messages, { modelId: "gpt-4o" });
 */
export { loadTokenRanks } from "../tokens/bpe/token-ranks.ts";
export {
  type Calibration,
  type CalibrationEntry,
  calibrationRatio,
  observeUsage,
  type UsageObservation,
} from "../tokens/calibration.ts";
export { countMessageBytes, countPartBytes, countTotalBytes } from "../tokens/count-bytes.ts";
export {
  type CountOptions,
  countMessageTokens,
  countPartTokens,
  countTotalTokens,
  storeTokens,
} from "../tokens/count-message.ts";
export { counterFor, countTokens, countTokensWithModelAdjustment } from "../tokens/count-tokens.ts";
export { estimateMessagesTokens, estimateTokens } from "../tokens/estimate-tokens.ts";
export {
  calculateAvailableTokens,
  DEFAULT_MODEL_LIMITS,
  getContextLimit,
  getModelLimits,
  isApproachingOverflow,
  MODEL_CONTEXT_LIMITS,
  type ModelLimits,
  type ModelLimitsOptions,
  type ResolvedModelLimits,
} from "../tokens/model-limits.ts";
export { type CountChatOptions, countChatTokens } from "../tokens/token-counter.ts";
