import { ABOVE_ZERO, checkOptions, type OptionRules } from "../errors/check-options.ts";
import { isRecord } from "../internal/json.ts";
import type { Encoding } from "./bpe/token-ranks.ts";
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

const limits = (contextLimit: number, maxOutput: number): ModelLimits => ({ contextLimit, maxOutput });

/**
 * Models with a known output limit, or whose context window is missing or rounded in the generated table. If a provider
 * sells a larger window only on request, the smaller one is listed.
 */
export const MODEL_LIMITS: Readonly<Record<string, ModelLimits>> = {
  "gpt-3.5-turbo": limits(16_385, 4_096),
  "gpt-3.5-turbo-instruct": limits(4_096, 4_096),
  "gpt-4": limits(8_192, 4_096),
  "gpt-4-32k": limits(32_768, 4_096),
  "gpt-4-0125": limits(128_000, 4_096),
  "gpt-4-1106": limits(128_000, 4_096),
  "gpt-4-turbo": limits(128_000, 4_096),
  "gpt-4-vision": limits(128_000, 4_096),
  "gpt-4o": limits(128_000, 16_384),
  "gpt-4o-mini": limits(128_000, 16_384),
  "gpt-4o-transcribe": limits(16_000, 2_000),
  "gpt-4o-mini-transcribe": limits(16_000, 2_000),
  "chatgpt-4o": limits(128_000, 16_384),
  "gpt-4.1": limits(1_047_576, 32_768),
  "gpt-4.1-mini": limits(1_047_576, 32_768),
  "gpt-4.1-nano": limits(1_047_576, 32_768),
  "gpt-4.5-preview": limits(128_000, 16_384),
  "gpt-5": limits(400_000, 128_000),
  "gpt-5-mini": limits(400_000, 128_000),
  "gpt-5-nano": limits(400_000, 128_000),
  "gpt-5-chat": limits(128_000, 16_384),
  "gpt-5.1": limits(400_000, 128_000),
  "gpt-5.1-chat": limits(128_000, 16_384),
  "gpt-5.2": limits(400_000, 128_000),
  "gpt-5.2-chat": limits(128_000, 16_384),
  "codex-mini": limits(200_000, 100_000),
  "gpt-oss": limits(131_072, 32_768),
  o1: limits(200_000, 100_000),
  "o1-mini": limits(128_000, 65_536),
  "o1-preview": limits(128_000, 32_768),
  o3: limits(200_000, 100_000),
  "o3-mini": limits(200_000, 100_000),
  "o4-mini": limits(200_000, 100_000),

  "claude-2": limits(100_000, 4_096),
  "claude-2.1": limits(200_000, 4_096),
  "claude-instant": limits(100_000, 4_096),
  "claude-instant-1.2": limits(100_000, 4_096),
  "claude-3-opus": limits(200_000, 4_096),
  "claude-3-sonnet": limits(200_000, 4_096),
  "claude-3-haiku": limits(200_000, 4_096),
  "claude-3.5-sonnet": limits(200_000, 8_192),
  "claude-3.5-haiku": limits(200_000, 8_192),
  "claude-3.7-sonnet": limits(200_000, 64_000),
  "claude-opus-4": limits(200_000, 32_000),
  "claude-opus-4.1": limits(200_000, 32_000),
  "claude-opus-4.5": limits(200_000, 64_000),
  "claude-opus-4.6": limits(200_000, 128_000),
  "claude-sonnet-4": limits(200_000, 64_000),
  "claude-sonnet-4.5": limits(200_000, 64_000),
  "claude-sonnet-4.6": limits(200_000, 64_000),
  "claude-haiku-4.5": limits(200_000, 64_000),

  "gemini-pro": limits(32_000, 8_192),
  "gemini-1.5-pro": limits(1_000_000, 8_192),
  "gemini-1.5-flash": limits(1_000_000, 8_192),
  "gemini-2.0-flash": limits(1_048_576, 8_192),
  "gemini-2.5-pro": limits(1_048_576, 65_536),
  "gemini-2.5-flash": limits(1_048_576, 65_536),
  "gemini-2.5-flash-image": limits(32_768, 32_768),
  "gemini-2.5-flash-preview-tts": limits(8_192, 8_192),
  "gemini-2.5-pro-preview-tts": limits(8_192, 8_192),
  "gemini-flash": limits(1_048_576, 65_536),
  "gemini-3-pro": limits(1_048_576, 65_536),
  "gemini-3-pro-image": limits(65_536, 32_768),
  "gemini-3-flash": limits(1_048_576, 65_536),
  "gemini-3.1-pro": limits(1_048_576, 65_536),

  "mistral-large": limits(128_000, 8_192),
  "mistral-small": limits(32_000, 8_192),
  "command-r": limits(128_000, 4_096),
  "command-r-plus": limits(128_000, 4_096),
  "kimi-k2": limits(131_072, 16_384),
  "llama-3.1": limits(128_000, 4_096),
  "llama-3.3": limits(128_000, 4_096),
};

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

/** Provider family of a model, which decides about its tokenizer and image rules. */
export type ModelFamily = "openai" | "anthropic" | "google" | "other";

/** Removes the vendor prefix of a model name: `openrouter/openai/gpt-4o`, `us.anthropic.claude-…`, `ft:gpt-4o:…`. */
export function bareModelName(modelId: string): string {
  const name = modelId.slice(modelId.lastIndexOf("/") + 1).toLowerCase();
  return name.replace(/^ft:/, "").replace(/^(?:[a-z]{2,6}\.)?(?:anthropic|amazon|cohere|meta|mistral|openai)\./, "");
}

export function modelFamily(modelId: string): ModelFamily {
  const name = bareModelName(modelId);
  if (/^(gpt-|chatgpt-|o\d|codex-|text-embedding-|computer-use)/.test(name)) return "openai";
  if (name.startsWith("claude")) return "anthropic";
  if (/^(gemini|gemma)/.test(name)) return "google";
  return modelId.toLowerCase().startsWith("openai/") ? "openai" : "other";
}

/** Exact encoding of an OpenAI model; `undefined` for models without a public tokenizer. */
export function encodingFor(modelId: string): Encoding | undefined {
  if (modelFamily(modelId) !== "openai") return undefined;
  // GPT-4 and older: `gpt-4`, `gpt-4-turbo`, `gpt-3.5-turbo`, but not `gpt-4o` or `gpt-4.1`.
  return /^(gpt-4($|-)|gpt-3|text-embedding-)/.test(bareModelName(modelId)) ? "cl100k_base" : "o200k_base";
}

/**
 * Returns the entry of a model, or of the longest-named model that it is a variant of.
 *
 * @example
 * findModel("gpt-4o-2024-08-06", { "gpt-4": 8_192, "gpt-4o": 128_000 }); // 128000
 */
export function findModel<T>(name: string, table: Readonly<Record<string, T>>): T | undefined {
  return longestMatch(name, table, isVariant);
}

/** Returns the entry with the longest name that is a prefix of this one, if the remainder may follow it. */
function longestMatch<T>(
  name: string,
  table: Readonly<Record<string, T>>,
  mayFollow: (rest: string) => boolean,
): T | undefined {
  const wanted = dashedName(name);
  let best: { readonly length: number; readonly value: T } | undefined;
  for (const [key, value] of Object.entries(table)) {
    const candidate = dashedName(key);
    if (!wanted.startsWith(candidate) || candidate.length <= (best?.length ?? 0)) continue;
    if (mayFollow(wanted.slice(candidate.length))) best = { length: candidate.length, value };
  }
  return best?.value;
}

/** Normalizes `claude-3.5` and `claude-3-5`, which are both in use. */
export function dashedName(name: string): string {
  return name.toLowerCase().replaceAll(".", "-");
}

/** `-0613` is a date and `-8b` a size, so a variant; `-9` is another version. */
function isVariant(rest: string): boolean {
  return rest === "" || (/^[-@:_]/.test(rest) && !/^-\d{1,2}(?![\da-z])/.test(rest));
}
