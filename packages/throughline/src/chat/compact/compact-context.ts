import { CHAT_POLICY } from "../../compact/policy.ts";
import { checkOptions } from "../../errors/check-options.ts";
import { toRichWindow } from "../../message/to-rich-window.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { findMiddle } from "../../trim/trim-window.ts";
import {
  buildContextWithMemory,
  type ChatMessage,
  CONTEXT_RULES,
  type ContextOptions,
  type ContextWithMemory,
} from "../inject/build-context.ts";
import {
  calculateMemoryBudget,
  contextWindowOf,
  formatMemoryForPrompt,
  REPLY_RESERVE,
} from "../inject/memory-prompt.ts";
import type { MemoryFact } from "../memory-fact.ts";

/** Items that were dropped: `none`; `stage1`: messages; `stage2`: messages and memories. */
export type CompactionStage = "none" | "stage1" | "stage2";

/** Result of `compactContext`. */
export interface CompactedContext<T extends ChatMessage> {
  /** The remaining conversation, without memories. Pass it and `memories` to `buildContextWithMemory`. */
  readonly messages: T[];
  /** The remaining memories. */
  readonly memories: MemoryFact[];
  readonly stage: CompactionStage;
  /** Tokens of the memories in the system prompt. */
  readonly memoryTokens: number;
  /** Tokens of the messages and the memories. */
  readonly totalTokens: number;
  /** Share of the context window in percent; above 100 if it is exceeded. */
  readonly percentUsed: number;
}

/**
 * Shrinks a chat whose window is at least 80% full: first drops the middle of the conversation, then, if that is
 * not enough, memories. A window below 80% stays as it is. Nothing is summarized; use a `Session` for that.
 *
 * @param messages The whole conversation.
 * @param memories Facts of the user.
 * @param modelId Model, for its context window and token counts.
 * @param options Current message, base prompt, reserve for the reply and context window.
 * @throws InvalidOptionError if `contextWindow` is not above 0.
 *
 * @example
 * const { messages, memories, stage } = compactContext(history, facts, "gpt-4o");
 */
export function compactContext<T extends ChatMessage>(
  messages: readonly T[],
  memories: readonly MemoryFact[],
  modelId: string,
  options: ContextOptions = {},
): CompactedContext<T> {
  checkOptions("compactContext", options, CONTEXT_RULES);
  const contextWindow = contextWindowOf(modelId, options);
  const whole = buildContextWithMemory(messages, memories, modelId, options);
  if (!shouldCompact(whole.totalTokens, contextWindow)) return compacted("none", messages, memories, whole);

  const trimmed = stageOneTrimHistory(messages).messages;
  const shorter = buildContextWithMemory(trimmed, memories, modelId, options);
  const { totalTokens, memoryTokens } = shorter;
  const { reserveOutput = REPLY_RESERVE } = options;
  const sizes = { totalTokens, conversationTokens: totalTokens - memoryTokens, contextWindow, reserveOutput };
  const reduced = reduceIfFull(memories, sizes);
  if (reduced === undefined) return compacted("stage1", trimmed, memories, shorter);
  const least = buildContextWithMemory(trimmed, reduced.memories, modelId, options);
  return compacted("stage2", trimmed, reduced.memories, least);
}

interface WindowSizes {
  /** Tokens of the messages and the memories. */
  readonly totalTokens: number;
  /** Tokens of the messages alone. */
  readonly conversationTokens: number;
  readonly contextWindow: number;
  readonly reserveOutput: number;
}

/**
 * Reduces memories if a window is still at least 80% full after its history was reduced; `undefined` if it is not. The
 * second stage of `compactContext` and of `prepareChatTurn`.
 */
export function reduceIfFull(memories: readonly MemoryFact[], sizes: WindowSizes): ReducedMemory | undefined {
  const { totalTokens, conversationTokens, contextWindow, reserveOutput } = sizes;
  if (!shouldCompact(totalTokens, contextWindow)) return undefined;
  const budget = calculateMemoryBudget("", conversationTokens, reserveOutput, { contextWindow });
  return stageTwoReduceMemory(memories, budget);
}

function compacted<T extends ChatMessage>(
  stage: CompactionStage,
  messages: readonly T[],
  memories: readonly MemoryFact[],
  { memoryTokens, totalTokens, percentUsed }: ContextWithMemory<T>,
): CompactedContext<T> {
  return { messages: [...messages], memories: [...memories], stage, memoryTokens, totalTokens, percentUsed };
}

/**
 * Returns whether a chat's window is at least 80% full, so that something has to leave it.
 *
 * @param totalTokens Tokens of the messages and the memories.
 * @param contextWindow Context window of the model in tokens.
 *
 * @example
 * shouldCompact(80_000, 100_000); // true
 */
export function shouldCompact(totalTokens: number, contextWindow: number): boolean {
  return totalTokens / contextWindow >= CHAT_POLICY.threshold;
}

/** Result of `stageOneTrimHistory`. */
export interface TrimmedHistory<T extends ChatMessage> {
  /** The remaining conversation. */
  readonly messages: T[];
  /** Number of dropped messages. */
  readonly trimmed: number;
}

/**
 * Drops the middle of a conversation. The first two and the last six messages stay, and more if a tool call would lose
 * its result.
 *
 * @param messages The whole conversation. A list of eight messages or fewer stays whole.
 *
 * @example
 * stageOneTrimHistory(messages).trimmed; // 5 of 13
 */
export function stageOneTrimHistory<T extends ChatMessage>(messages: readonly T[]): TrimmedHistory<T> {
  const { firstMessages, lastMessages } = CHAT_POLICY;
  const { headEnd, tailStarts } = findMiddle(toRichWindow(messages), firstMessages);
  const tailStart = tailStarts.findLast((cut) => cut <= messages.length - lastMessages) ?? 0;
  if (headEnd >= tailStart) return { messages: [...messages], trimmed: 0 };
  return {
    messages: [...messages.slice(0, headEnd), ...messages.slice(tailStart)],
    trimmed: tailStart - headEnd,
  };
}

/** Result of `stageTwoReduceMemory`. */
export interface ReducedMemory {
  /** The remaining memories, in the given order. */
  readonly memories: MemoryFact[];
  /** Number of dropped memories. */
  readonly reduction: number;
}

/**
 * Drops memories for a full window. Identity facts and preferences with a confidence of 0.8 or less are dropped. If the
 * rest is over the budget, the least valuable facts are dropped too, preferences before projects. Pinned facts always
 * stay.
 *
 * @param memories Facts of the user.
 * @param targetBudget Maximum tokens of the remaining facts, formatted for the prompt. Pinned facts may exceed it.
 *
 * @example
 * const { memories, reduction } = stageTwoReduceMemory(facts, 150);
 */
export function stageTwoReduceMemory(memories: readonly MemoryFact[], targetBudget: number): ReducedMemory {
  const stays = new Set(memories.filter((fact) => fact.pinned));
  const given = (): MemoryFact[] => memories.filter((fact) => stays.has(fact));
  for (const fact of memories.filter(isKept).sort(byValue)) {
    stays.add(fact);
    // Counted in the given order: tokens reach across line ends, so another order may count differently.
    if (countTokens(formatMemoryForPrompt(given())) > targetBudget) stays.delete(fact);
  }
  const kept = given();
  return { memories: kept, reduction: memories.length - kept.length };
}

function isKept({ pinned, category, confidence }: MemoryFact): boolean {
  return !pinned && (category === "project" || (category === "preference" && confidence > CHAT_POLICY.minConfidence));
}

function byValue(a: MemoryFact, b: MemoryFact): number {
  const isLater = (category: FactCategory): number => Number(category === "preference");
  return isLater(a.category) - isLater(b.category) || b.confidence - a.confidence || b.lastSeen - a.lastSeen;
}
