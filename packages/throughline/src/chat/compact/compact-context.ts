import {
  buildContextWithMemory,
  type ChatMessage,
  type ContextOptions,
  type ContextWithMemory,
} from "../inject/build-context.ts";
import { calculateMemoryBudget, contextWindowOf, REPLY_RESERVE } from "../inject/memory-budget.ts";
import type { MemoryFact } from "../memory-fact.ts";
import { shouldCompact } from "./should-compact.ts";
import { stageOneTrimHistory } from "./stage-one.ts";
import { stageTwoReduceMemory } from "./stage-two.ts";

/** How far it had to go: nothing left, messages left, or memories too. */
export type CompactionStage = "none" | "stage1" | "stage2";

export interface CompactedContext<T extends ChatMessage> {
  /** The conversation without what left it. The facts are not in it yet: give both to `buildContextWithMemory`. */
  readonly messages: T[];
  readonly memories: MemoryFact[];
  readonly stage: CompactionStage;
  /** Of the window that the two make together. */
  readonly memoryTokens: number;
  readonly totalTokens: number;
  readonly percentUsed: number;
}

/**
 * Makes room in a window that is 80% full or fuller: first the middle of the conversation leaves, then, where that is not
 * enough, memories. What is not that full stays as it is.
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
  const contextWindow = contextWindowOf(modelId, options);
  const isFull = ({ totalTokens }: ContextWithMemory<T>): boolean => shouldCompact(totalTokens, contextWindow);
  const whole = buildContextWithMemory(messages, memories, modelId, options);
  if (!isFull(whole)) return compacted("none", messages, memories, whole);

  const trimmed = stageOneTrimHistory(messages).messages;
  const shorter = buildContextWithMemory(trimmed, memories, modelId, options);
  if (!isFull(shorter)) return compacted("stage1", trimmed, memories, shorter);

  const conversationTokens = shorter.totalTokens - shorter.memoryTokens;
  const { reserveOutput = REPLY_RESERVE } = options;
  const budget = calculateMemoryBudget(modelId, conversationTokens, reserveOutput, options);
  const reduced = stageTwoReduceMemory(memories, budget).memories;
  return compacted("stage2", trimmed, reduced, buildContextWithMemory(trimmed, reduced, modelId, options));
}

function compacted<T extends ChatMessage>(
  stage: CompactionStage,
  messages: readonly T[],
  memories: readonly MemoryFact[],
  { memoryTokens, totalTokens, percentUsed }: ContextWithMemory<T>,
): CompactedContext<T> {
  return { messages: [...messages], memories: [...memories], stage, memoryTokens, totalTokens, percentUsed };
}
