import { ABOVE_ZERO, checkOptions, type OptionRules } from "../../errors/check-options.ts";
import { oneLine } from "../../internal/text.ts";
import { describeUserBriefly } from "../../language/third-person.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { getContextLimit } from "../../tokens/model-limits.ts";
import type { MemoryFact } from "../memory-fact.ts";

/** Share of the remaining window for memories, and its limits in tokens. */
const SHARE = 0.25;
const MIN_BUDGET = 150;
const MAX_BUDGET = 500;
/** Facts that the message does not ask for are added up to this size only. */
export const IDEAL_BUDGET = 350;

/** Tokens reserved for the reply. */
export const REPLY_RESERVE = 1_000;

export interface WindowOptions {
  /** Context window in tokens. Default: by model name. */
  readonly contextWindow?: number;
}

/** Checks of the options. */
export const WINDOW_RULES: OptionRules<WindowOptions> = { contextWindow: ABOVE_ZERO };

/**
 * Returns the token budget for memories: a quarter of the window that conversation and reply leave, at least 150 and at
 * most 500.
 *
 * @param modelId Model, for its context window.
 * @param conversationTokens Tokens of the conversation.
 * @param reserveOutput Tokens reserved for the reply. Default: 1,000.
 * @param options Context window, if it differs from the model's.
 * @throws InvalidOptionError if an option is invalid or unknown.
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
  checkOptions("calculateMemoryBudget", options, WINDOW_RULES);
  const available = contextWindowOf(modelId, options) - conversationTokens - reserveOutput;
  return Math.max(MIN_BUDGET, Math.min(MAX_BUDGET, Math.floor(available * SHARE)));
}

/** Context window of a model in tokens. */
export function contextWindowOf(modelId: string, { contextWindow }: WindowOptions): number {
  return contextWindow ?? getContextLimit(modelId);
}

const HEADING = "## What you know about this user";
/** Maximum characters of a fact; longer facts are cut to head and tail. */
const MAX_LINE_LENGTH = 400;

/** Groups in prompt order. */
const GROUPS: readonly (readonly [FactCategory, string])[] = [
  ["project", "Current work:"],
  ["preference", "Preferences:"],
  ["identity", "About user:"],
];

/**
 * Formats facts for the system prompt, by category; empty if there are none. Each fact is one line without line breaks,
 * invisible characters or headings.
 *
 * @param memories Facts with their categories.
 *
 * @example
 * const block = formatMemoryForPrompt([{ fact: "Prefers direct answers", category: "preference" }]);
 */
export function formatMemoryForPrompt(memories: readonly Pick<MemoryFact, "fact" | "category">[]): string {
  const groups = GROUPS.flatMap(([category, title]) => {
    const lines = memories.filter((memory) => memory.category === category).flatMap(factLine);
    return lines.length === 0 ? [] : [[title, ...lines].join("\n")];
  });
  return groups.length === 0 ? "" : [HEADING, ...groups].join("\n\n");
}

/** Empty if the fact has no visible characters. */
function factLine({ fact }: Pick<MemoryFact, "fact">): readonly string[] {
  const line = oneLine(fact, MAX_LINE_LENGTH);
  return line === "" ? [] : [`- ${describeUserBriefly(line)}`];
}
