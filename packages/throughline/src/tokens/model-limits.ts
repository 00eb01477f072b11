import { ABOVE_ZERO, checkOptions, type OptionRules } from "../errors/check-options.ts";
import { isRecord } from "../internal/json.ts";
import { bareModelName, findModel, longestMatch } from "./model-family.ts";
import { MODEL_LIMITS } from "./model-limits-table.ts";
import { MODEL_WINDOWS } from "./model-windows-table.ts";

/** Limits of a model in tokens. */
export interface ModelLimits {
  /** Input and output together. */
  readonly contextLimit: number;
  /** Maximum tokens of a reply. */
  readonly maxOutput: number;
}

/** Limits with their source. */
export interface ResolvedModelLimits extends ModelLimits {
  /** Source: the caller, the table of limits, the generated table of context windows, or the default. */
  readonly source: "override" | "table" | "registry" | "default";
  /** Warning for the user if the limits are a guess. */
  readonly warning?: string;
}

/** Options of {@link getModelLimits} and the functions built on it. */
export interface ModelLimitsOptions {
  /** Custom limits by model id or id prefix. They take precedence. */
  readonly overrides?: Readonly<Record<string, Partial<ModelLimits>>>;
}

/** Checks of the options. */
export const LIMITS_RULES: OptionRules<ModelLimitsOptions> = {
  overrides: [
    (value) => isRecord(value) && Object.values(value).every(isLimits),
    'limits by model id, such as { "my-model": { contextLimit: 32_000 } }',
  ],
};

function isLimits(value: unknown): boolean {
  if (!isRecord(value)) return false;
  return [value.contextLimit, value.maxOutput].every((limit) => limit === undefined || ABOVE_ZERO[0](limit));
}

/** Limits of unknown models: safe for nearly every model. */
export const DEFAULT_MODEL_LIMITS: ModelLimits = { contextLimit: 16_000, maxOutput: 4_096 };

/**
 * Returns the limits of a model. Dated names resolve to their model (`gpt-4o-2024-08-06` → `gpt-4o`). An unknown model
 * gets a safe default and a warning.
 *
 * @param modelId Model id, with or without a vendor prefix.
 * @param options Custom limits that take precedence.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * getModelLimits("anthropic/claude-3.5-sonnet").contextLimit; // 200000
 */
export function getModelLimits(modelId: string, options: ModelLimitsOptions = {}): ResolvedModelLimits {
  checkOptions("getModelLimits", options, LIMITS_RULES);
  return resolveLimits(modelId, options);
}

/** Same as {@link getModelLimits}, for options that are checked. */
export function resolveLimits(modelId: string, { overrides = {} }: ModelLimitsOptions): ResolvedModelLimits {
  const known = resolveKnown(modelId);
  const begins = () => true;
  const override = longestMatch(modelId, overrides, begins) ?? longestMatch(bareModelName(modelId), overrides, begins);
  if (override === undefined) return known;
  const { contextLimit = known.contextLimit, maxOutput = known.maxOutput } = override;
  return { contextLimit, maxOutput: Math.min(maxOutput, contextLimit), source: "override" };
}

/**
 * Returns the context window of a model in tokens, input and output together.
 *
 * @param modelId Model id, with or without a vendor prefix.
 * @param options Custom limits that take precedence.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * getContextLimit("gpt-4o"); // 128000
 */
export function getContextLimit(modelId: string, options: ModelLimitsOptions = {}): number {
  checkOptions("getContextLimit", options, LIMITS_RULES);
  return resolveLimits(modelId, options).contextLimit;
}

/**
 * Returns the tokens left for the conversation; negative if it overflows.
 *
 * @param modelId Model id, with or without a vendor prefix.
 * @param currentTokens Tokens already used.
 * @param outputReserve Tokens reserved for the reply. Default: the model's maximum output.
 * @param options Custom limits that take precedence.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * calculateAvailableTokens("gpt-4o", 100_000); // 11616
 */
export function calculateAvailableTokens(
  modelId: string,
  currentTokens: number,
  outputReserve?: number,
  options: ModelLimitsOptions = {},
): number {
  checkOptions("calculateAvailableTokens", options, LIMITS_RULES);
  return usableTokens(modelId, outputReserve, options) - currentTokens;
}

function usableTokens(modelId: string, outputReserve: number | undefined, options: ModelLimitsOptions): number {
  const { contextLimit, maxOutput } = resolveLimits(modelId, options);
  return contextLimit - (outputReserve ?? maxOutput);
}

/**
 * Returns true if more than a share of the usable window is taken.
 *
 * @param modelId Model id, with or without a vendor prefix.
 * @param currentTokens Tokens already used.
 * @param outputReserve Tokens reserved for the reply. Default: the model's maximum output.
 * @param threshold Share of the usable window, from 0 to 1. Default: 0.9.
 * @param options Custom limits that take precedence.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * if (isApproachingOverflow("gpt-4o", countTotalTokens(messages))) console.warn("The window is nearly full.");
 */
export function isApproachingOverflow(
  modelId: string,
  currentTokens: number,
  outputReserve?: number,
  threshold = 0.9,
  options: ModelLimitsOptions = {},
): boolean {
  checkOptions("isApproachingOverflow", options, LIMITS_RULES);
  return currentTokens > usableTokens(modelId, outputReserve, options) * threshold;
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
  const warning = `Unknown model "${modelId}": assuming a context window of ${assumed.toLocaleString("en-US")} tokens. Set contextLimit to the real value.`;
  return { ...DEFAULT_MODEL_LIMITS, source: "default", warning };
}

/** Dated names that have no entry of their own in the tables. */
const DATED_MODELS = ["claude-3-5-sonnet-20240620", "claude-3-haiku-20240307"];

/**
 * Context windows in tokens, by model id. `getContextLimit` also knows variants, other vendors' ids and more models.
 */
export const MODEL_CONTEXT_LIMITS: Readonly<Record<string, number>> = /* @__PURE__ */ listContextLimits();

function listContextLimits(): Record<string, number> {
  const names = [...Object.keys(MODEL_LIMITS), ...DATED_MODELS];
  return Object.fromEntries(names.map((name) => [name, getContextLimit(name)]));
}
