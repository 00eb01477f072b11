import type { Recaller } from "../../session/session-deps.ts";
import { formatMemoryForPrompt } from "../inject/format-memory.ts";
import { calculateMemoryBudget, REPLY_RESERVE } from "../inject/memory-budget.ts";
import { explainSelection } from "../inject/select-memories.ts";
import type { MemoryFact } from "../memory-fact.ts";

/** Facts, or where to get them when they are needed. */
export type FactSource = readonly MemoryFact[] | (() => readonly MemoryFact[] | Promise<readonly MemoryFact[]>);

export interface ChatRecallerOptions {
  readonly facts: FactSource;
  /** Tokens that are kept free for the reply; 1,000, where nothing is said. */
  readonly reserveOutput?: number;
}

/**
 * Finds the facts for a turn by the rules of the chat: its budget, its order and its block. Facts that cannot be had are
 * noted in the receipt, and the turn goes on without them.
 *
 * @example
 * const turn = await session.prepare({ system, memory: chatRecaller({ facts: book.getSnapshot().facts }) });
 */
export function chatRecaller({ facts, reserveOutput = REPLY_RESERVE }: ChatRecallerOptions): Recaller {
  return async ({ question, windowTokens, contextLimit }) => {
    const budget = calculateMemoryBudget("", windowTokens, reserveOutput, { contextWindow: contextLimit });
    const { chosen } = explainSelection(await readFacts(facts), budget, { currentMessage: question });
    if (chosen.length === 0) return undefined;
    return {
      text: formatMemoryForPrompt(chosen.map(({ fact }) => fact)),
      sources: chosen.map(({ fact }) => fact.id),
      reasons: Object.fromEntries(chosen.map(({ fact, reason }) => [fact.id, reason])),
    };
  };
}

export async function readFacts(facts: FactSource): Promise<readonly MemoryFact[]> {
  return typeof facts === "function" ? facts() : facts;
}
