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
  const stays = new Set(memories.filter((fact) => fact.pinned));
  const given = (): MemoryFact[] => memories.filter((fact) => stays.has(fact));
  for (const fact of memories.filter(isKept).sort(byWorth)) {
    stays.add(fact);
    // In the order in which they are given: tokens reach over the ends of lines, so another order may take more.
    if (countTokens(formatMemoryForPrompt(given())) > targetBudget) stays.delete(fact);
  }
  const kept = given();
  return { memories: kept, reduction: memories.length - kept.length };
}

function isKept({ pinned, category, confidence }: MemoryFact): boolean {
  return !pinned && (category === "project" || (category === "preference" && confidence > SURE));
}

function byWorth(a: MemoryFact, b: MemoryFact): number {
  const isLater = (category: FactCategory): number => Number(category === "preference");
  return isLater(a.category) - isLater(b.category) || b.confidence - a.confidence || b.lastSeen - a.lastSeen;
}
