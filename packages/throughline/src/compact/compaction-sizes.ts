import type { NoteReader } from "../ledger/render/note-style.ts";
import { wordsTokens } from "../ledger/render/quote-tokens.ts";
import type { Message } from "../message/message.ts";
import { MIN_STORY_TOKENS } from "./compose-summary.ts";
import type { DivisibleWindow, TailRule } from "./divide-window.ts";
import { findOriginalTask, textOf } from "./original-task.ts";
import type { CompactionPolicy } from "./policy.ts";
import { readSummary } from "./summary-heading.ts";

/** Settings of one compaction. */
export interface CompactionLimits {
  /** Tokens at which the next compaction is due; the shares of the policy refer to it. */
  readonly trigger: number;
  /** Tokens that the shares of the tail and of the last turns refer to (default: the trigger). */
  readonly tailOf?: number | undefined;
  /** Maximum size of the summary, ledger included; by default set by the policy. */
  readonly targetTokens?: number | undefined;
  /** Size of the verbatim tail (0: none), in tokens or as a share of the trigger; by default set by the policy. */
  readonly keepTokens?: number | undefined;
  readonly keepShare?: number | undefined;
  /** Number of messages in the tail, instead of a size. */
  readonly keepMessages?: number | undefined;
  /** Turns of the user that stay whole. */
  readonly minTurns?: number | undefined;
  /** If the result would be larger than this, the prose of an earlier summary is left out. */
  readonly maxTokens?: number | undefined;
  /** Keeps the tail as it was asked for, even if the window stays near the trigger or above it. */
  readonly isExact?: boolean;
  /** Topic that the summary should keep above all. */
  readonly focus?: string | undefined;
  /** Reader of the summary (default: a model). */
  readonly reader?: NoteReader | undefined;
  /** True if the history is kept, so that the summary can name a handle for the compacted messages. */
  readonly hasHistory?: boolean;
}

/** Sizes of the tail, and of the summary with its parts in tokens. */
export interface CompactionSizes {
  readonly tail: TailRule;
  readonly target: number;
  readonly quotes: number;
  /** Maximum for the user's rules, as a part of the quotes or else of the summary. */
  readonly rules: number;
  /** Prose of an earlier summary, or "", and the tokens for it. */
  readonly earlier: { readonly text: string; readonly tokens: number };
}

/** Tokens of the title above the prose of an earlier summary. */
const TITLE_TOKENS = 8;

/** Sizes by the policy, or as the caller set them. */
export function compactionSizes(
  { state: { ledger }, window, counter }: DivisibleWindow,
  policy: CompactionPolicy,
  limits: CompactionLimits,
): CompactionSizes {
  const { summary, quotes: words, rules, earlierShare, ofTarget } = policy;
  const { trigger, targetTokens, keepTokens, keepShare } = limits;
  const max =
    targetTokens === undefined
      ? {
          quotes: Math.floor(Math.min(words.maxTokens, trigger * words.share)),
          earlier: Math.floor(trigger * earlierShare),
        }
      : { quotes: Math.floor(targetTokens * ofTarget.quotes), earlier: Math.floor(targetTokens * ofTarget.earlier) };
  const quotes = max.quotes === 0 ? 0 : Math.min(max.quotes, wordsTokens(ledger, counter.text, max.quotes));
  const prose = earlierProse(window);
  const earlier =
    prose === "" ? 0 : Math.min(max.earlier, Math.max(MIN_STORY_TOKENS, counter.text(prose) + TITLE_TOKENS));
  const atLeast = Math.min(summary.minTokens, trigger * summary.maxShare);
  const own = Math.floor(Math.min(summary.maxTokens, Math.max(atLeast, trigger * summary.share)));
  const target = targetTokens ?? own + quotes + earlier;
  const after = (keepTokens ?? keepShare) === undefined ? policy.afterShare : policy.maxAfterShare;
  const maxTokens = Math.max(1, Math.floor(trigger * after) - target - counter.messages(headOf(window)));
  const maxRules = Math.floor(Math.min(Math.max(rules.minTokens, trigger * rules.share), target / 2));
  const tail = tailRule(policy, limits, maxTokens);
  return { target, quotes, rules: maxRules, earlier: { text: prose, tokens: earlier }, tail };
}

/**
 * The tail by the policy, or as the caller set it. `room` is the size that leaves the window clearly below its trigger:
 * a larger tail would cause the next compaction at once.
 */
function tailRule(policy: CompactionPolicy, limits: CompactionLimits, maxTokens: number): TailRule {
  const { trigger, tailOf = trigger, keepTokens, keepShare, keepMessages, minTurns = 0, isExact } = limits;
  if (isExact && keepTokens !== undefined) return { tokens: keepTokens };
  const isCounted = keepTokens === undefined && keepShare === undefined && keepMessages !== undefined;
  if (isCounted) return { messages: keepMessages, most: maxTokens };
  const tokens = Math.floor(keepTokens ?? tailOf * (keepShare ?? policy.tailShare));
  const most = Math.min(maxTokens, Math.floor(tailOf * policy.turnsShare));
  // A caller who wants no tail gets none. The policy without a tail keeps the last turns.
  const turns = tokens === 0 && (keepTokens ?? keepShare) !== undefined ? 0 : minTurns;
  return { tokens: Math.min(tokens, maxTokens), turns, most };
}

/** The messages that every compaction keeps at the start. */
function headOf(window: readonly Message[]): readonly Message[] {
  const task = findOriginalTask(window);
  return window.filter((message, index) => index === task || message.role === "system");
}

/**
 * Prose of the first summary in a window, by a model or by another agent. Empty if the ledger has read what came before
 * that summary.
 */
function earlierProse(window: readonly Message[]): string {
  const at = window.findIndex((message) => message.isSummary === true);
  const summary = window[at];
  if (summary === undefined) return "";
  const { prose, record } = readSummary(textOf(summary));
  const before = window.slice(0, at).filter((message) => message.role !== "system");
  return record === undefined && before.length > 1 ? "" : prose;
}
