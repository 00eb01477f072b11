import { ABOVE_ZERO, AT_LEAST_ZERO, type OptionRules, TEXTS } from "../errors/check-options.ts";

/** When a window is too full, and which messages are never masked or summarized then. */
export interface CompactionConfig {
  /** Context limit of the model in tokens, input and output together. */
  readonly modelContextLimit: number;
  /** Tokens reserved for the system prompt and the tools. */
  readonly systemReserve: number;
  /** Tokens reserved for the reply. */
  readonly outputReserve: number;
  /** Tokens reserved for counting errors of unknown tokenizers. */
  readonly safetyBuffer: number;
  /** Maximum size of a request in bytes, images and files as base64 (default: no limit). */
  readonly maxBytes?: number;
  /** Share of the remaining tokens, and of the bytes, at which the window is reduced. */
  readonly thresholdPercent: number;
  /** Messages at the end that a compaction keeps. */
  readonly recentMessagesToKeep: number;
  /** Minimum number of tokens that pruning has to save, because it breaks the prompt cache. */
  readonly pruneMinimum: number;
  /** Tokens of the newest tool outputs that are never masked. */
  readonly pruneProtect: number;
  /** Requests of the user at the end that stay untouched, with their replies. */
  readonly minTurnsToKeep: number;
  /** Tools whose outputs are never masked. */
  readonly protectedTools: readonly string[];
}

/** Checks of the settings. */
export const CONFIG_RULES: OptionRules<CompactionConfig> = {
  modelContextLimit: ABOVE_ZERO,
  systemReserve: AT_LEAST_ZERO,
  outputReserve: AT_LEAST_ZERO,
  safetyBuffer: AT_LEAST_ZERO,
  maxBytes: ABOVE_ZERO,
  thresholdPercent: ABOVE_ZERO,
  recentMessagesToKeep: AT_LEAST_ZERO,
  pruneMinimum: AT_LEAST_ZERO,
  pruneProtect: AT_LEAST_ZERO,
  minTurnsToKeep: AT_LEAST_ZERO,
  protectedTools: TEXTS,
};

/** Tokens that are reserved besides the messages. */
export type Reserves = Pick<CompactionConfig, "systemReserve" | "outputReserve" | "safetyBuffer">;

/** Defaults of sessions and of `compact`: a window of 128,000 tokens is compacted at 93,600. */
export const DEFAULT_CONFIG: CompactionConfig = {
  modelContextLimit: 128_000,
  systemReserve: 2_000,
  outputReserve: 4_000,
  safetyBuffer: 5_000,
  thresholdPercent: 0.8,
  recentMessagesToKeep: 10,
  pruneMinimum: 20_000,
  pruneProtect: 40_000,
  minTurnsToKeep: 2,
  protectedTools: [],
};

/**
 * Defaults of `pruneToolOutputs`, `CompactionService` and `ContextManager`: as above, with 4,096 tokens for the reply.
 */
export const DEFAULT_COMPACTION_CONFIG: CompactionConfig = { ...DEFAULT_CONFIG, outputReserve: 4_096 };

/** Returns the default reserves. A window below 128,000 tokens reserves less in proportion. */
export function defaultReserves(contextLimit: number): Reserves {
  const { modelContextLimit, systemReserve, outputReserve, safetyBuffer } = DEFAULT_CONFIG;
  const scale = Math.min(1, contextLimit / modelContextLimit);
  return {
    systemReserve: Math.round(systemReserve * scale),
    outputReserve: Math.round(outputReserve * scale),
    safetyBuffer: Math.round(safetyBuffer * scale),
  };
}

/** Share of a budget above which the usage is logged. */
export const NEAR_LIMIT = 0.9;
