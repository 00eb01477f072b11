import type { ForeignModelMessage } from "../../message/convert/ai-sdk.ts";
import type { Message } from "../../message/message.ts";
import { toRichWindow } from "../../message/to-rich-window.ts";
import { countTotalTokens } from "../../tokens/count-message.ts";
import { counterFor } from "../../tokens/count-tokens.ts";
import type { MemoryFact } from "../memory-fact.ts";
import { addToSystem } from "./add-to-system.ts";
import { formatMemoryForPrompt } from "./format-memory.ts";
import { calculateMemoryBudget, contextWindowOf, REPLY_RESERVE, type WindowOptions } from "./memory-budget.ts";
import { type ExplainedMemory, explainSelection } from "./select-memories.ts";

/** A message of the AI SDK or of our own: lists keep the kind that they came in. */
export type ChatMessage = Message | ForeignModelMessage;

export interface ContextOptions extends WindowOptions {
  /** What is said now: the facts have to fit it. */
  readonly currentMessage?: string;
  /** The persona, which the facts stand behind. */
  readonly baseSystemPrompt?: string;
  /** Tokens that are kept free for the reply; 1,000, where nothing is said. */
  readonly reserveOutput?: number;
}

export interface ContextWithMemory<T extends ChatMessage> {
  /** The system message with the facts, then the conversation. */
  readonly messages: T[];
  readonly memoryTokens: number;
  readonly totalTokens: number;
  /** Of what the model takes in all, from 0 to 100 and above where it is too much. */
  readonly percentUsed: number;
  /** The facts in the prompt, each with its reason. */
  readonly used: readonly ExplainedMemory[];
}

/**
 * Puts the facts that fit behind the system prompt, and says how full the window is with them.
 *
 * @example
 * const { messages, percentUsed } = buildContextWithMemory(history, facts, "gpt-4o", { currentMessage: "Where do I live?" });
 */
export function buildContextWithMemory<T extends ChatMessage>(
  messages: readonly T[],
  memories: readonly MemoryFact[],
  modelId: string,
  options: ContextOptions = {},
): ContextWithMemory<T> {
  const { currentMessage, baseSystemPrompt = "", reserveOutput = REPLY_RESERVE } = options;
  const counter = counterFor(modelId);
  const withBase = addToSystem(messages, { before: baseSystemPrompt });
  const conversationTokens = countTotalTokens(toRichWindow(withBase), { modelId });
  const budget = calculateMemoryBudget(modelId, conversationTokens, reserveOutput, options);
  const { chosen, tokens } = explainSelection(memories, budget, {
    ...(currentMessage !== undefined && { currentMessage }),
    count: (text) => counter.count(text),
  });
  const complete = addToSystem(withBase, { behind: formatMemoryForPrompt(chosen.map(({ fact }) => fact)) });
  const totalTokens = countTotalTokens(toRichWindow(complete), { modelId });
  const percentUsed = (totalTokens / contextWindowOf(modelId, options)) * 100;
  return { messages: complete, memoryTokens: tokens, totalTokens, percentUsed, used: chosen };
}
