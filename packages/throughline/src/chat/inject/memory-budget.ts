import { ABOVE_ZERO, checkOptions, type OptionRules } from "../../errors/check-options.ts";
import { getContextLimit } from "../../tokens/model-limits.ts";

/** Share of the remaining window for memories, and its limits in tokens. */
const SHARE = 0.25;
const MIN_BUDGET = 150;
const MAX_BUDGET = 500;
/** Facts that the message does not ask for are added up to this size only. */
export const IDEAL_BUDGET = 350;

/** Tokens reserved for the reply. */
export const REPLY_RESERVE = 1_000;

export interface WindowOptions {
  /** Context window in tokens. Default: by model name. */
  readonly contextWindow?: number;
}

/** Checks of the options. */
export const WINDOW_RULES: OptionRules<WindowOptions> = { contextWindow: ABOVE_ZERO };

/**
 * Returns the token budget for memories: a quarter of the window that conversation and reply leave, at least 150 and at
 * most 500.
 *
 * @param modelId Model, for its context window.
 * @param conversationTokens Tokens of the conversation.
 * @param reserveOutput Tokens reserved for the reply. Default: 1,000.
 * @param options Context window, if it differs from the model's.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * calculateMemoryBudget("gpt-4o", 2_000); // 500
 */
export function calculateMemoryBudget(
  modelId: string,
  conversationTokens: number,
  reserveOutput = REPLY_RESERVE,
  options: WindowOptions = {},
): number {
  checkOptions("calculateMemoryBudget", options, WINDOW_RULES);
  const available = contextWindowOf(modelId, options) - conversationTokens - reserveOutput;
  return Math.max(MIN_BUDGET, Math.min(MAX_BUDGET, Math.floor(available * SHARE)));
}

/** Context window of a model in tokens. */
export function contextWindowOf(modelId: string, { contextWindow }: WindowOptions): number {
  return contextWindow ?? getContextLimit(modelId);
}
