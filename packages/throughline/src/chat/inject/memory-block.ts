import { counterFor } from "../../tokens/count-tokens.ts";
import type { MemoryFact } from "../memory-fact.ts";
import { formatMemoryForPrompt } from "./format-memory.ts";
import { calculateMemoryBudget } from "./memory-budget.ts";
import { type ExplainedMemory, explainSelection } from "./select-memories.ts";

interface MemoryBlockOptions {
  /** Current user message; without it only the budget limits the selection. */
  readonly question: string | undefined;
  /** Tokens of the conversation. */
  readonly conversationTokens: number;
  readonly contextWindow: number;
  /** Tokens reserved for the reply. */
  readonly reserveOutput: number;
  /** Model whose tokens are counted. Default: OpenAI's current encoding. */
  readonly modelId?: string;
}

/** The memories of one request. */
interface MemoryBlock {
  /** Text for the system prompt; empty without memories. */
  readonly text: string;
  readonly tokens: number;
  readonly used: readonly ExplainedMemory[];
}

/** Selects and formats the facts for a request. Sessions and lists of messages get their memories from here. */
export function memoryBlock(facts: readonly MemoryFact[], options: MemoryBlockOptions): MemoryBlock {
  const { question, conversationTokens, contextWindow, reserveOutput, modelId } = options;
  const budget = calculateMemoryBudget("", conversationTokens, reserveOutput, { contextWindow });
  const counter = modelId === undefined ? undefined : counterFor(modelId);
  const { chosen: used, tokens } = explainSelection(facts, budget, {
    ...(question !== undefined && { currentMessage: question }),
    ...(counter !== undefined && { count: (text: string) => counter.count(text) }),
  });
  return { text: formatMemoryForPrompt(used.map(({ fact }) => fact)), tokens, used };
}
