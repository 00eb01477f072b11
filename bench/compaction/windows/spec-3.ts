import { type Message, repairWindow } from "throughline";
import { adjustBoundaryForToolPairs } from "throughline/messages";
import { countTotalTokens } from "throughline/tokens";
import type { WindowPolicy } from "../policy.ts";
import { fitTail } from "./fit-tail.ts";
import { summaryMessage } from "./summary-message.ts";

const RECENT_MESSAGES = 10;

/** Spec 3 alone: a summary and the last 10 messages; the oldest of these are dropped if the budget is smaller. */
export const spec3: WindowPolicy = {
  name: "spec 3 alone, with the agent's real summary",
  family: "spec 3 alone, with the agent's real summary",
  fit: async (point, budget) => keepLastTen(point.pre, point.summary, budget),
};

function keepLastTen(messages: readonly Message[], summary: string, budget: number): readonly Message[] {
  const boundary = adjustBoundaryForToolPairs(messages, Math.max(0, messages.length - RECENT_MESSAGES));
  const head = [summaryMessage(summary)];
  const recent = messages.slice(boundary);
  const window = repairWindow([...head, ...recent]).messages;
  return countTotalTokens(window) <= budget ? window : fitTail(recent, budget, head);
}
