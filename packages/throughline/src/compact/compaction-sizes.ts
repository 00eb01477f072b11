import { omitUndefined } from "../internal/json.ts";
import { wordsTokens } from "../ledger/words-tokens.ts";
import type { Message } from "../message/message.ts";
import type { TokenCounter } from "../tokens/token-counter.ts";
import { MIN_STORY_TOKENS } from "./compose-summary.ts";
import { textOf } from "./original-task.ts";
import type { CompactionPolicy } from "./policy.ts";
import { readSummary } from "./read-summary.ts";
import type { TailRule } from "./select-messages.ts";
import type { WindowState } from "./window.ts";

/** Settings of one compaction. */
export interface CompactionLimits {
  /** Tokens at which the next compaction is due; the shares of the policy refer to it. */
  readonly trigger: number;
  /** Maximum size of the summary, ledger included; by default set by the policy. */
  readonly targetTokens?: number | undefined;
  /** Size of the verbatim tail (0: none); by default set by the policy. */
  readonly keepTokens?: number | undefined;
  /** Number of messages in the tail, instead of a size. */
  readonly keepMessages?: number | undefined;
  /** Turns of the user that stay whole. */
  readonly minTurns?: number | undefined;
  /** If the result would be larger than this, the prose of an earlier summary is left out. */
  readonly maxTokens?: number | undefined;
  /** Topic that the summary should keep above all. */
  readonly focus?: string | undefined;
  /** Whether the history is kept, so that the summary can name a handle for the compacted messages. */
  readonly hasHistory?: boolean;
}

/** Tokens of the summary and of its parts. */
export interface SummarySizes {
  readonly target: number;
  readonly quotes: number;
  readonly earlier: number;
}

/** Tokens of the title above the prose of an earlier summary. */
const TITLE_TOKENS = 8;

/** The tail by the policy, or as the caller set it. */
export function tailRule(
  policy: CompactionPolicy,
  { trigger, keepTokens, keepMessages, minTurns }: CompactionLimits,
): TailRule {
  if (keepTokens !== undefined) return { tokens: keepTokens };
  if (keepMessages !== undefined) return { messages: keepMessages };
  const { tail, turnsShare } = policy;
  return omitUndefined({
    tokens: Math.floor(Math.min(tail.maxTokens, trigger * tail.share)),
    turns: minTurns,
    most: Math.floor(trigger * turnsShare),
  });
}

/** Sizes of the summary by the policy, or as the caller set them. */
export function summarySizes(
  state: WindowState,
  window: readonly Message[],
  counter: TokenCounter,
  { summary, quotesShare, earlierShare, ofTarget }: CompactionPolicy,
  { trigger, targetTokens }: CompactionLimits,
): SummarySizes {
  const quotes = (max: number) => (max === 0 ? 0 : Math.min(max, wordsTokens(state.ledger, counter.text, max)));
  const earlier = (max: number) => {
    const prose = max === 0 ? "" : earlierProse(window);
    return prose === "" ? 0 : Math.min(max, Math.max(MIN_STORY_TOKENS, counter.text(prose) + TITLE_TOKENS));
  };
  if (targetTokens !== undefined) {
    return {
      target: targetTokens,
      quotes: quotes(Math.floor(targetTokens * ofTarget.quotes)),
      earlier: earlier(Math.floor(targetTokens * ofTarget.earlier)),
    };
  }
  const added = {
    quotes: quotes(Math.floor(trigger * quotesShare)),
    earlier: earlier(Math.floor(trigger * earlierShare)),
  };
  const own = Math.floor(Math.min(summary.maxTokens, trigger * summary.share));
  return { target: own + added.quotes + added.earlier, ...added };
}

/**
 * Prose of the first summary in a window, by a model or by another agent. Empty if the ledger has read what came before
 * that summary.
 */
export function earlierProse(window: readonly Message[]): string {
  const at = window.findIndex((message) => message.isSummary === true);
  const summary = window[at];
  if (summary === undefined) return "";
  const { prose, record } = readSummary(textOf(summary));
  const before = window.slice(0, at).filter((message) => message.role !== "system");
  return record === undefined && before.length > 1 ? "" : prose;
}
