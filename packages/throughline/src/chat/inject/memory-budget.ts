import { InvalidOptionError } from "../../errors/invalid-option-error.ts";
import { getContextLimit } from "../../tokens/model-limits.ts";

/** The share of what is left of the window that memories may take, and its bounds in tokens. */
const SHARE = 0.25;
const LEAST = 150;
const MOST = 500;

/** Tokens that are kept free for the reply. */
export const REPLY_RESERVE = 1_000;

export interface WindowOptions {
  /** Tokens that the model takes in all, where it is known better than by the model's name. */
  readonly contextWindow?: number;
}

/**
 * Tokens for memories: a quarter of what the conversation and the reply leave, at least 150 and at most 500.
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
  const available = contextWindowOf(modelId, options) - conversationTokens - reserveOutput;
  return Math.max(LEAST, Math.min(MOST, Math.floor(available * SHARE)));
}

/** Tokens that a model takes in all. */
export function contextWindowOf(modelId: string, { contextWindow }: WindowOptions): number {
  if (contextWindow === undefined) return getContextLimit(modelId);
  if (!(contextWindow > 0)) throw new InvalidOptionError("contextWindow", contextWindow, "a number of tokens above 0");
  return contextWindow;
}
