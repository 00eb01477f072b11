import { ABOVE_ZERO, checkOptions, type OptionRules } from "../errors/check-options.ts";
import { omitUndefined } from "../internal/json.ts";
import type { ForeignModelMessage } from "../message/convert/ai-sdk.ts";
import type { Message } from "../message/message.ts";
import { toRichWindow } from "../message/to-rich-window.ts";
import { countTotalBytes } from "../tokens/count-bytes.ts";
import { countTotal } from "../tokens/count-message.ts";
import { estimateMessagesTokens } from "../tokens/estimate-tokens.ts";
import { LIMITS_RULES, type ModelLimitsOptions, resolveLimits } from "../tokens/model-limits.ts";
import { CONFIG_RULES, type CompactionConfig, DEFAULT_CONFIG, defaultReserves } from "./compaction-config.ts";

/**
 * Returns the number of tokens at which a compaction is due: `thresholdPercent` of the context limit without all
 * reserves.
 *
 * @param config Settings that differ from `DEFAULT_CONFIG`. Reserves that you do not set are smaller in
 *   proportion in a window below 128,000 tokens; those that you set are used as they are.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * calculateThreshold({ modelContextLimit: 200_000 }); // 151200
 * calculateThreshold({ modelContextLimit: 16_000 }); // 11700
 */
export function calculateThreshold(config: Partial<CompactionConfig> = {}): number {
  checkOptions<Partial<CompactionConfig>>("calculateThreshold", config, CONFIG_RULES);
  return thresholdOf(config);
}

function thresholdOf(config: Partial<CompactionConfig>): number {
  const { modelContextLimit = DEFAULT_CONFIG.modelContextLimit, thresholdPercent = DEFAULT_CONFIG.thresholdPercent } =
    config;
  const defaults = defaultReserves(modelContextLimit);
  const {
    systemReserve = defaults.systemReserve,
    outputReserve = defaults.outputReserve,
    safetyBuffer = defaults.safetyBuffer,
  } = config;
  return Math.floor((modelContextLimit - systemReserve - outputReserve - safetyBuffer) * thresholdPercent);
}

/**
 * Returns the threshold, or a share of the context limit if the given reserves leave less than that. Sizes are derived
 * from it, so it is never 0 or below.
 */
export function thresholdAbove(minShare: number, config: Partial<CompactionConfig>): number {
  const { modelContextLimit = DEFAULT_CONFIG.modelContextLimit } = config;
  return Math.max(1, Math.floor(modelContextLimit * minShare), thresholdOf(config));
}

/** Tokens at which a compaction is due with the default settings: 93,600. */
export const COMPACTION_THRESHOLD: number = /* @__PURE__ */ thresholdOf(DEFAULT_CONFIG);

/**
 * Returns the number of bytes at which a compaction is due: `thresholdPercent` of `maxBytes`.
 *
 * @param config Settings that differ from `DEFAULT_CONFIG`.
 * @returns a number of bytes; `Infinity` without `maxBytes`.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * calculateByteThreshold({ maxBytes: 30_000_000 }); // 24000000
 */
export function calculateByteThreshold(config: Partial<CompactionConfig> = {}): number {
  checkOptions<Partial<CompactionConfig>>("calculateByteThreshold", config, CONFIG_RULES);
  return byteThresholdOf(config);
}

function byteThresholdOf(config: Partial<CompactionConfig>): number {
  const { maxBytes = Number.POSITIVE_INFINITY, thresholdPercent } = { ...DEFAULT_CONFIG, ...omitUndefined(config) };
  return Math.floor(maxBytes * thresholdPercent);
}

/**
 * Returns whether a compaction is due, by tokens or by bytes. Use it before `compact`.
 *
 * @param messages The whole conversation, in the format of the AI SDK or Throughline's own.
 * @param config Settings that differ from `DEFAULT_CONFIG`. A list of at most `recentMessagesToKeep` + 1
 *   messages is never due, because a compaction would keep all of them.
 * @throws InvalidMessageError if a message cannot be converted.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * if (shouldCompact(messages)) console.log(await compact(messages, { sessionId: "session-1" }));
 */
export function shouldCompact(
  messages: readonly (Message | ForeignModelMessage)[],
  config: Partial<CompactionConfig> = {},
): boolean {
  checkOptions<Partial<CompactionConfig>>("shouldCompact", config, CONFIG_RULES);
  const { recentMessagesToKeep, maxBytes } = { ...DEFAULT_CONFIG, ...omitUndefined(config) };
  if (messages.length <= recentMessagesToKeep + 1) return false;
  const window = toRichWindow(messages);
  if (maxBytes !== undefined && countTotalBytes(window) >= byteThresholdOf(config)) return true;
  // The larger of estimate and count is the safe one: texts that a tokenizer packs well are estimated higher.
  const tokens = Math.max(estimateMessagesTokens(window), countTotal(window, {}));
  return tokens >= thresholdOf(config);
}

/** Share of a model's context that messages use. */
export interface OverflowCheckResult {
  /** True if there are more tokens than the model takes besides its reply, or more bytes than its provider takes. */
  readonly isOverflow: boolean;
  /** Tokens of the messages. */
  readonly currentTokens: number;
  /** Tokens that are left for more messages; 0 if there is an overflow. */
  readonly availableTokens: number;
  /** Context limit of the model in tokens. */
  readonly modelLimit: number;
  /** Tokens reserved for the reply. */
  readonly outputReserve: number;
  /** Set if there is a limit in bytes. */
  readonly bytes?: { readonly current: number; readonly available: number; readonly limit: number };
}

/** Limits besides those of the model. */
export interface OverflowOptions extends ModelLimitsOptions {
  /** Maximum size of a request in bytes. */
  readonly maxBytes?: number;
}

const OVERFLOW_RULES: OptionRules<OverflowOptions> = { ...LIMITS_RULES, maxBytes: ABOVE_ZERO };

/**
 * Checks whether messages exceed the context limit of a model without the reserve for its reply, in tokens or in bytes.
 *
 * @param messages The whole conversation.
 * @param modelId Model that the messages are for, which sets the tokenizer and the context limit.
 * @param outputReserve Tokens reserved for the reply. Default: the maximum output of the model.
 * @param options Maximum size of a request in bytes, and limits that differ from the known ones.
 * @throws InvalidOptionError if an option is invalid or unknown.
 *
 * @example
 * const { isOverflow, availableTokens } = checkOverflow(messages, "gpt-4o");
 */
export function checkOverflow(
  messages: readonly Message[],
  modelId: string,
  outputReserve?: number,
  options: OverflowOptions = {},
): OverflowCheckResult {
  checkOptions("checkOverflow", options, OVERFLOW_RULES);
  const { maxBytes } = options;
  const { contextLimit, maxOutput } = resolveLimits(modelId, options);
  const reserve = outputReserve ?? maxOutput;
  const currentTokens = countTotal(messages, { modelId });
  const availableTokens = contextLimit - reserve - currentTokens;
  const bytes = maxBytes === undefined ? undefined : checkBytes(messages, maxBytes);
  return omitUndefined({
    isOverflow: availableTokens < 0 || (bytes !== undefined && bytes.current > bytes.limit),
    currentTokens,
    availableTokens: Math.max(0, availableTokens),
    modelLimit: contextLimit,
    outputReserve: reserve,
    bytes,
  });
}

function checkBytes(messages: readonly Message[], limit: number): NonNullable<OverflowCheckResult["bytes"]> {
  const current = countTotalBytes(messages);
  return { current, available: Math.max(0, limit - current), limit };
}
