import { DEFAULT_CONFIG } from "../overflow/compaction-config.ts";

/**
 * Every constant of a compaction. Shares are shares of the trigger: the tokens at which the next compaction is due.
 *
 * `overflow/compaction-config.ts` defines when a window is too full; this defines what remains of it.
 */
export interface CompactionPolicy {
  /** Minimum saving, as a share of the window. With 0, the result only has to be smaller. */
  readonly minSaving: number;
  /** Minimum trigger as a share of the context limit, whatever the caller reserves. */
  readonly minTrigger: number;
  /** The newest messages, which stay verbatim. */
  readonly tailShare: number;
  /** The last turns of the user stay whole up to this share, even if they are longer than the tail. */
  readonly turnsShare: number;
  /** Maximum share of the trigger that a compaction leaves: the tail and the last turns give way. */
  readonly afterShare: number;
  /** The same with a tail that the caller set. */
  readonly maxAfterShare: number;
  /** The summary, ledger included. */
  readonly summary: {
    readonly share: number;
    readonly maxTokens: number;
    /** A small window has a summary of at least this size, up to `maxShare`. */
    readonly minTokens: number;
    readonly maxShare: number;
  };
  /** Room in addition to the summary for the user's requests and rules, verbatim. */
  readonly quotes: { readonly share: number; readonly maxTokens: number };
  /**
   * Maximum for the user's rules, which come before everything else in a summary. The trigger is at most 80% of the
   * window, so that 2.5% of it is at most 2% of the window; a small window spends `minTokens`, 2% of 8,000.
   */
  readonly rules: { readonly share: number; readonly minTokens: number };
  /** Room in addition to the summary for the prose of an earlier summary, if no model merges the two. */
  readonly earlierShare: number;
  /** Shares of a summary whose size the caller set; here quotes and earlier prose are part of that size. */
  readonly ofTarget: { readonly quotes: number; readonly earlier: number };
  /** Settings for masking old tool outputs before a compaction. */
  readonly prune: {
    /** Upper bounds for `pruneProtect` and `pruneMinimum`: a small window cannot spare as much as a large one. */
    readonly protectShare: number;
    readonly minimumShare: number;
    /**
     * Pruning replaces a compaction only if it leaves at most this share. Otherwise a compaction would soon follow, and
     * breaking the prompt cache once is cheaper than twice.
     */
    readonly enoughShare: number;
  };
}

/**
 * Sessions: `session.prepare` and `session.compact`. `bench/tail-size` and `bench/compaction` measure these numbers;
 * docs/decisions/0020-tail-as-a-share.md explains them.
 */
export const SESSION_POLICY: CompactionPolicy = {
  minSaving: 0.1,
  minTrigger: 0.1,
  tailShare: 0.3,
  turnsShare: 0.35,
  afterShare: 0.57,
  maxAfterShare: 0.7,
  summary: { share: 0.25, maxTokens: 4_000, minTokens: 3_200, maxShare: 0.4 },
  quotes: { share: 0.1, maxTokens: 2_500 },
  rules: { share: 0.025, minTokens: 160 },
  earlierShare: 0.05,
  ofTarget: { quotes: 0, earlier: 0 },
  prune: { protectShare: 0.4, minimumShare: 0.15, enoughShare: 0.5 },
};

/**
 * Lists that the caller keeps: `compact()` and `safeCompact()`. They run whenever they are called, and keep as many
 * messages as the caller requests. A list has no history to look things up in, so quotes and earlier prose have a share
 * even of a summary whose size the caller set.
 */
export const LIST_POLICY: CompactionPolicy = {
  ...SESSION_POLICY,
  minSaving: 0,
  minTrigger: 0.4,
  afterShare: Number.POSITIVE_INFINITY,
  maxAfterShare: Number.POSITIVE_INFINITY,
  summary: { share: 0.35, maxTokens: 4_000, minTokens: 0, maxShare: 0.35 },
  ofTarget: { quotes: 0.5, earlier: 0.25 },
};

/** `CompactionService`: keeps the last `minTurnsToKeep` turns, whatever their size, and no other tail. */
export const SERVICE_POLICY: CompactionPolicy = {
  ...LIST_POLICY,
  tailShare: 0,
  turnsShare: Number.POSITIVE_INFINITY,
};

/**
 * `ContextManager`: compacts only at overflow, so its trigger is everything the model takes. `minTurnsToKeep` is an
 * explicit setting there and may take more of a small window than in a session.
 */
export const CONTEXT_MANAGER_POLICY: CompactionPolicy = {
  ...LIST_POLICY,
  minSaving: SESSION_POLICY.minSaving,
  turnsShare: 0.6,
};

/** Summaries that a model writes for sessions. */
export const MODEL_SUMMARY_POLICY = {
  /**
   * Share of the trigger at which a model starts to write the next summary in the background. Later, and it is not
   * ready in time; earlier, and it covers less of the messages that the compaction will replace.
   */
  startShare: 0.7,
  /** Calls of the model and tokens (input and output) for the summaries of one session, over its whole life. */
  maxCalls: 200,
  maxTokens: 4_000_000,
} as const;

/** Chats without a session: `compactContext` drops the middle of the conversation, then memories. */
export const CHAT_POLICY = {
  /** Share of the context window at which something has to leave it. */
  threshold: DEFAULT_CONFIG.thresholdPercent,
  /** Messages that stay at the start and at the end. */
  firstMessages: 2,
  lastMessages: 6,
  /** Preferences above this confidence stay when memories are reduced. */
  minConfidence: 0.8,
} as const;
