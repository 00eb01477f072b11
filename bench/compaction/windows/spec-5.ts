import { type Message, type Part, repairWindow } from "throughline";
import { countPartTokens, countTotalTokens } from "throughline/tokens";
import type { WindowPolicy } from "../policy.ts";
import { fitTail } from "./fit-tail.ts";
import { maskOutput } from "./observation-masking.ts";
import { summaryMessage } from "./summary-message.ts";

const PROTECTED_TOKENS = 40_000;
const MIN_WON = 20_000;
const TURNS = 2;
const CLEARED = "[Tool output cleared - see conversation summary]";

/** Spec 5 alone: prunes with its limits; if that is not enough, a summary and the last 2 turns, shortened to fit. */
export const spec5: WindowPolicy = {
  name: "spec 5 alone, with the agent's real summary",
  family: "spec 5 alone, with the agent's real summary",
  fit: async (point, budget) => pruneThenSummarize(point.pre, point.summary, budget),
};

function pruneThenSummarize(messages: readonly Message[], summary: string, budget: number): readonly Message[] {
  const pruned = pruneOutputs(messages);
  if (countTotalTokens(pruned) <= budget) return pruned;
  return summarizeTurns(pruned, summary, budget);
}

function summarizeTurns(messages: readonly Message[], summary: string, budget: number): readonly Message[] {
  const head = [summaryMessage(summary)];
  const recent = messages.slice(startOfTurns(messages));
  const window = repairWindow([...head, ...recent]).messages;
  return countTotalTokens(window) <= budget ? window : fitTail(recent, budget, head);
}

/** Outputs before the last 2 turns, beyond the newest 40k tokens of them, if that saves at least 20k. */
export function pruneOutputs(messages: readonly Message[]): readonly Message[] {
  const cleared = new Map<Part, Part>();
  let seen = 0;
  let won = 0;
  for (const message of messages.slice(0, startOfTurns(messages)).toReversed()) {
    if (message.isSummary === true) break;
    for (const part of message.parts.toReversed()) {
      if (part.type !== "tool-result" || part.compactedAt !== undefined) continue;
      seen += countPartTokens(part);
      if (seen <= PROTECTED_TOKENS) continue;
      const mask: Part = { ...maskOutput(part, CLEARED), compactedAt: 1 } as Part;
      cleared.set(part, mask);
      won += countPartTokens(part) - countPartTokens(mask);
    }
  }
  if (won < MIN_WON) return messages;
  return messages.map((message) => {
    if (!message.parts.some((part) => cleared.has(part))) return message;
    const { tokens: _, ...rest } = message;
    return { ...rest, parts: message.parts.map((part) => cleared.get(part) ?? part) };
  });
}

function startOfTurns(messages: readonly Message[]): number {
  const starts = messages.flatMap((message, index) => (message.role === "user" ? [index] : []));
  return starts.at(-TURNS) ?? 0;
}
