import type { FactCategory } from "../../ports/memory.ts";
import { countTokens } from "../../tokens/count-tokens.ts";
import { formatMemoryForPrompt } from "../inject/format-memory.ts";
import type { MemoryFact } from "../memory-fact.ts";

/** A preference stays where it is surer than this. */
const SURE = 0.8;

export interface ReducedMemory {
  /** In the order in which they were given. */
  readonly memories: MemoryFact[];
  /** How many left. */
  readonly reduction: number;
}

/**
 * Reduces what is remembered to what a full window can bear: identity goes, of the preferences only those above 0.8
 * stay, projects stay. Where that is still more than the budget, the least of them go, preferences first. Pinned facts
 * always stay: it is their injection that keeps the budget.
 *
 * @example
 * const { memories } = stageTwoReduceMemory(facts, 150);
 */
export function stageTwoReduceMemory(memories: readonly MemoryFact[], targetBudget: number): ReducedMemory {
  const kept = memories.filter((fact) => fact.pinned);
  for (const fact of memories.filter(isKept).sort(byWorth)) {
    if (countTokens(formatMemoryForPrompt([...kept, fact])) <= targetBudget) kept.push(fact);
  }
  const stays = new Set(kept);
  return { memories: memories.filter((fact) => stays.has(fact)), reduction: memories.length - kept.length };
}

function isKept({ pinned, category, confidence }: MemoryFact): boolean {
  return !pinned && (category === "project" || (category === "preference" && confidence > SURE));
}

function byWorth(a: MemoryFact, b: MemoryFact): number {
  const isLater = (category: FactCategory): number => Number(category === "preference");
  return isLater(a.category) - isLater(b.category) || b.confidence - a.confidence || b.lastSeen - a.lastSeen;
}
