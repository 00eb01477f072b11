/** When a window is taken for too full, and what is left alone when it is made smaller. */
export interface CompactionConfig {
  /** Tokens that the model takes, input and output together. */
  readonly modelContextLimit: number;
  /** Kept free for the system prompt and the tools. */
  readonly systemReserve: number;
  /** Kept free for the reply. */
  readonly outputReserve: number;
  /** Kept free because counts of unknown tokenizers are estimates. */
  readonly safetyBuffer: number;
  /** Bytes that the provider takes at the most, images and files as base64; without it only tokens count. */
  readonly maxBytes?: number;
  /** The share of what is left, and of the bytes, at which something is done. */
  readonly thresholdPercent: number;
  /** Messages at the end that a compaction leaves as they are. */
  readonly recentMessagesToKeep: number;
  /** Pruning that would win less than this is not worth a break of the prompt cache. */
  readonly pruneMinimum: number;
  /** Tokens of the newest tool outputs that are not masked. */
  readonly pruneProtect: number;
  /** Turns at the end that nothing touches. */
  readonly minTurnsToKeep: number;
  /** Tools whose outputs are never masked. */
  readonly protectedTools: readonly string[];
}

/** The numbers of the design: a window of 128,000 tokens, compacted at 93,600. */
export const DEFAULT_COMPACTION_CONFIG: CompactionConfig = {
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
