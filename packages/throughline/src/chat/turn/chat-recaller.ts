import { AT_LEAST_ZERO, checkOptions, type OptionRule } from "../../errors/check-options.ts";
import type { Recaller } from "../../session/state/session-deps.ts";
import { memoryBlock } from "../inject/memory-block.ts";
import { REPLY_RESERVE } from "../inject/memory-budget.ts";
import type { MemoryFact } from "../memory-fact.ts";

/** Facts, or a function that loads them. */
export type FactSource = readonly MemoryFact[] | (() => readonly MemoryFact[] | Promise<readonly MemoryFact[]>);

/** Check of an option that is a source of facts. */
export const FACTS: OptionRule = [
  (value) => Array.isArray(value) || typeof value === "function",
  "a list of facts, or a function that loads them",
];

export interface ChatRecallerOptions {
  /** Facts about the user, or a function that loads them. */
  readonly facts: FactSource;
  /** Tokens reserved for the reply. Default: 1,000. */
  readonly reserveOutput?: number;
}

/**
 * Creates a recaller that selects facts for a turn by the rules of the chat: its budget, order and format. If the facts
 * cannot be loaded, the receipt notes it and the turn goes on without them.
 *
 * @param options Source of facts and the reserve for the reply.
 *
 * @example
 * const turn = await session.prepare({ system: "Be brief.", memory: chatRecaller({ facts }) });
 */
export function chatRecaller(options: ChatRecallerOptions): Recaller {
  checkOptions("chatRecaller", options, { facts: FACTS, reserveOutput: AT_LEAST_ZERO });
  const { facts, reserveOutput = REPLY_RESERVE } = options;
  return async ({ question, windowTokens: conversationTokens, contextLimit: contextWindow }) => {
    const sizes = { conversationTokens, contextWindow, reserveOutput };
    const { text, used } = memoryBlock(await readFacts(facts), { question, ...sizes });
    if (used.length === 0) return undefined;
    return {
      text,
      sources: used.map(({ fact }) => fact.id),
      reasons: Object.fromEntries(used.map(({ fact, reason }) => [fact.id, reason])),
    };
  };
}

export async function readFacts(facts: FactSource): Promise<readonly MemoryFact[]> {
  return typeof facts === "function" ? facts() : facts;
}
