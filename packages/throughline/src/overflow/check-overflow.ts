import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { countTotalTokens } from "../tokens/count-message.ts";
import { estimateMessagesTokens } from "../tokens/estimate-tokens.ts";
import { calculateAvailableTokens, getModelLimits } from "../tokens/model-limits.ts";
import { type CompactionConfig, DEFAULT_COMPACTION_CONFIG } from "./compaction-config.ts";

/** Reserves never take more than this share of a small window. */
const MOST_RESERVED = 0.5;

/**
 * The tokens at which a compaction is due: a share of what is left when everything that is reserved is taken off.
 *
 * @example
 * calculateThreshold(DEFAULT_COMPACTION_CONFIG); // 93600
 */
export function calculateThreshold(config: Partial<CompactionConfig> = {}): number {
  const { modelContextLimit, systemReserve, outputReserve, safetyBuffer, thresholdPercent } = {
    ...DEFAULT_COMPACTION_CONFIG,
    ...config,
  };
  const reserved = Math.min(systemReserve + outputReserve + safetyBuffer, modelContextLimit * MOST_RESERVED);
  return Math.floor((modelContextLimit - reserved) * thresholdPercent);
}

/** Whether a compaction is due; a list that is shorter than what it would keep is never. */
export function shouldCompact(
  messages: readonly (Message | ForeignModelMessage)[],
  config: Partial<CompactionConfig> = {},
): boolean {
  const { recentMessagesToKeep } = { ...DEFAULT_COMPACTION_CONFIG, ...config };
  if (messages.length <= recentMessagesToKeep + 1) return false;
  const window = toRichWindow(messages);
  // The estimate costs nothing and sees what a tokenizer packs well; the larger of the two is the careful one.
  const tokens = Math.max(estimateMessagesTokens(window), countTotalTokens(window));
  return tokens >= calculateThreshold(config);
}

export interface OverflowCheckResult {
  readonly isOverflow: boolean;
  readonly currentTokens: number;
  readonly availableTokens: number;
  readonly modelLimit: number;
  readonly outputReserve: number;
}

/** Whether messages are more than a model takes beside its reply. */
export function checkOverflow(
  messages: readonly Message[],
  modelId: string,
  outputReserve: number = getModelLimits(modelId).maxOutput,
): OverflowCheckResult {
  const currentTokens = countTotalTokens(messages, { modelId });
  const available = calculateAvailableTokens(modelId, currentTokens, outputReserve);
  return {
    isOverflow: available < 0,
    currentTokens,
    availableTokens: Math.max(0, available),
    modelLimit: getModelLimits(modelId).contextLimit,
    outputReserve,
  };
}
