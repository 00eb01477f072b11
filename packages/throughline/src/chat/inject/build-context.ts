import { AT_LEAST_ZERO, checkOptions, type OptionRules, TEXT } from "../../errors/check-options.ts";
import type { ForeignModelMessage } from "../../message/convert/ai-sdk.ts";
import { completeMessage, type Message } from "../../message/message.ts";
import { toRichWindow } from "../../message/to-rich-window.ts";
import { countTotalTokens } from "../../tokens/count-message.ts";
import { counterFor } from "../../tokens/count-tokens.ts";
import type { MemoryFact } from "../memory-fact.ts";
import {
  calculateMemoryBudget,
  contextWindowOf,
  formatMemoryForPrompt,
  REPLY_RESERVE,
  WINDOW_RULES,
  type WindowOptions,
} from "./memory-prompt.ts";
import { type ExplainedMemory, explainSelection } from "./select-memories.ts";

/** A Throughline message or an AI SDK message. Lists keep their type. */
export type ChatMessage = Message | ForeignModelMessage;

export interface ContextOptions extends WindowOptions {
  /** Current user message, to select relevant facts. */
  readonly currentMessage?: string;
  /** Base system prompt. Facts are appended to it. */
  readonly baseSystemPrompt?: string;
  /** Tokens reserved for the reply. Default: 1,000. */
  readonly reserveOutput?: number;
}

/** Checks of the options, which `compactContext` has too. */
export const CONTEXT_RULES: OptionRules<ContextOptions> = {
  ...WINDOW_RULES,
  currentMessage: TEXT,
  baseSystemPrompt: TEXT,
  reserveOutput: AT_LEAST_ZERO,
};

export interface ContextWithMemory<T extends ChatMessage> {
  /** System message with the facts, then the conversation. */
  readonly messages: T[];
  readonly memoryTokens: number;
  readonly totalTokens: number;
  /** Share of the context window in percent; above 100 if it is exceeded. */
  readonly percentUsed: number;
  /** Facts in the prompt, each with its reason. */
  readonly used: readonly ExplainedMemory[];
}

/**
 * Adds relevant facts to the system prompt and reports the usage of the window.
 *
 * @param messages Conversation.
 * @param memories Facts of the user.
 * @param modelId Model, for its context window and token counts.
 * @param options Current message, base prompt and reserves.
 *
 * @example
 * const { percentUsed } = buildContextWithMemory(messages, facts, "gpt-4o", { currentMessage: "Where do I live?" });
 */
export function buildContextWithMemory<T extends ChatMessage>(
  messages: readonly T[],
  memories: readonly MemoryFact[],
  modelId: string,
  options: ContextOptions = {},
): ContextWithMemory<T> {
  checkOptions("buildContextWithMemory", options, CONTEXT_RULES);
  const { currentMessage: question, baseSystemPrompt = "", reserveOutput = REPLY_RESERVE } = options;
  const contextWindow = contextWindowOf(modelId, options);
  const withBase = addToSystem(messages, { before: baseSystemPrompt });
  const conversationTokens = countTotalTokens(toRichWindow(withBase), { modelId });
  const sizes = { conversationTokens, contextWindow, reserveOutput };
  const { text, tokens, used } = memoryBlock(memories, { question, ...sizes, modelId });
  const complete = addToSystem(withBase, { behind: text });
  const totalTokens = countTotalTokens(toRichWindow(complete), { modelId });
  const percentUsed = (totalTokens / contextWindow) * 100;
  return { messages: complete, memoryTokens: tokens, totalTokens, percentUsed, used };
}

interface Addition {
  readonly before?: string;
  readonly behind?: string;
}

/** Adds text to the system prompt: to the last leading system message, or to a new one of the same message type. */
function addToSystem<T extends Message | ForeignModelMessage>(
  messages: readonly T[],
  { before = "", behind = "" }: Addition,
): T[] {
  if (before === "" && behind === "") return [...messages];
  const first = messages.findIndex(({ role }) => role !== "system");
  const systems = first === -1 ? messages.length : first;
  const system = messages[systems - 1];
  if (system !== undefined) return messages.with(systems - 1, extend(system, before, behind));
  const text = [before, behind].filter((one) => one !== "").join("\n\n");
  const isOwn = messages.some((message) => "parts" in message);
  // The message type is known here, but not to the compiler.
  return [(isOwn ? ownSystem(messages[0] as Message, text) : { role: "system", content: text }) as T, ...messages];
}

function extend<T extends Message | ForeignModelMessage>(system: T, before: string, behind: string): T {
  if ("content" in system) {
    const texts = [before, String(system.content), behind].filter((one) => one !== "");
    return { ...system, content: texts.join("\n\n") };
  }
  const part = (id: string, text: string) => (text === "" ? [] : [{ id, type: "text" as const, text }]);
  const { tokens: _, ...rest } = system;
  const parts = [...part(`${system.id}.persona`, before), ...system.parts, ...part(`${system.id}.memory`, behind)];
  return { ...rest, parts } as unknown as T;
}

function ownSystem({ sessionId }: Message, text: string): Message {
  return completeMessage({ id: "system", role: "system", parts: [{ type: "text", text }] }, 0, { sessionId });
}

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
