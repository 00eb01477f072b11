import { findModel, longestMatch } from "./find-model.ts";
import { bareModelName } from "./model-family.ts";
import { MODEL_LIMITS } from "./model-limits-table.ts";
import { MODEL_WINDOWS } from "./model-windows-table.ts";

/** What a model takes and gives at the most. */
export interface ModelLimits {
  /** Tokens of input and output together. */
  readonly contextLimit: number;
  readonly maxOutput: number;
}

/** Limits with where they come from. */
export interface ResolvedModelLimits extends ModelLimits {
  /** Where they come from: the caller, the table of limits, the generated table of context windows, or the default. */
  readonly source: "override" | "table" | "registry" | "default";
  /** What to tell the user, where the limits are a guess. */
  readonly warning?: string;
}

/** What is known better than by the table. */
export interface ModelLimitsOptions {
  /** Limits of your own, by model id or by the beginning of one; they win. */
  readonly overrides?: Readonly<Record<string, Partial<ModelLimits>>>;
}

/** Small enough to be safe for nearly every model. */
export const DEFAULT_MODEL_LIMITS: ModelLimits = { contextLimit: 16_000, maxOutput: 4_096 };

/**
 * The limits of a model. Dated names find their model (`gpt-4o-2024-08-06` is `gpt-4o`); an unknown model gets a safe
 * default and a warning.
 *
 * @example
 * getModelLimits("anthropic/claude-3.5-sonnet").contextLimit; // 200000
 */
export function getModelLimits(modelId: string, { overrides = {} }: ModelLimitsOptions = {}): ResolvedModelLimits {
  const known = resolveKnown(modelId);
  const begins = () => true;
  const override = longestMatch(modelId, overrides, begins) ?? longestMatch(bareModelName(modelId), overrides, begins);
  if (override === undefined) return known;
  const { contextLimit = known.contextLimit, maxOutput = known.maxOutput } = override;
  return { contextLimit, maxOutput: Math.min(maxOutput, contextLimit), source: "override" };
}

/**
 * The tokens that a model takes, input and output together.
 *
 * @example
 * getContextLimit("gpt-4o"); // 128000
 */
export function getContextLimit(modelId: string, options?: ModelLimitsOptions): number {
  return getModelLimits(modelId, options).contextLimit;
}

/**
 * Tokens that are left for the conversation; below 0 it overflows.
 *
 * @example
 * calculateAvailableTokens("gpt-4o", 100_000); // 11616
 */
export function calculateAvailableTokens(
  modelId: string,
  currentTokens: number,
  outputReserve?: number,
  options?: ModelLimitsOptions,
): number {
  const { contextLimit, maxOutput } = getModelLimits(modelId, options);
  return contextLimit - (outputReserve ?? maxOutput) - currentTokens;
}

/**
 * Whether more than `threshold` of the usable space is taken.
 *
 * @example
 * if (isApproachingOverflow("gpt-4o", countTotalTokens(messages))) console.warn("The window is nearly full.");
 */
export function isApproachingOverflow(
  modelId: string,
  currentTokens: number,
  outputReserve?: number,
  threshold = 0.9,
  options?: ModelLimitsOptions,
): boolean {
  return currentTokens > calculateAvailableTokens(modelId, 0, outputReserve, options) * threshold;
}

function resolveKnown(modelId: string): ResolvedModelLimits {
  const name = bareModelName(modelId);
  const listed = findModel(name, MODEL_LIMITS);
  if (listed !== undefined) return { ...listed, source: "table" };
  const contextLimit = findModel(name, MODEL_WINDOWS);
  const { maxOutput } = DEFAULT_MODEL_LIMITS;
  if (contextLimit !== undefined) {
    return { contextLimit, maxOutput: Math.min(maxOutput, contextLimit), source: "registry" };
  }
  const { contextLimit: assumed } = DEFAULT_MODEL_LIMITS;
  const warning = `Unknown model "${modelId}": a window of ${assumed.toLocaleString("en-US")} tokens is assumed. Set contextLimit to what it really has.`;
  return { ...DEFAULT_MODEL_LIMITS, source: "default", warning };
}
