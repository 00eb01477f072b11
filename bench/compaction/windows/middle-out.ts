import type { Message } from "throughline";
import { legalCutPoints } from "throughline/messages";
import { countTotalTokens } from "throughline/tokens";
import type { WindowPolicy } from "../policy.ts";
import { fitTail } from "./fit-tail.ts";

/** Maximum share of the budget for the first exchange; otherwise only the first message is kept. */
const MAX_HEAD_SHARE = 0.5;

/** The first exchange and as many of the last messages as fit. */
export const middleOut: WindowPolicy = {
  name: "middle-out",
  family: "middle-out",
  fit: async (point, budget) => keepEnds(point.pre, budget),
};

function keepEnds(messages: readonly Message[], budget: number): readonly Message[] {
  const cuts = legalCutPoints(messages);
  const reply = messages.findIndex((message) => message.role === "assistant");
  const ends = [cuts.find((cut) => cut > reply) ?? 0, cuts.find((cut) => cut > 0) ?? 0, 0];
  const end = ends.find((cut) => countTotalTokens(messages.slice(0, cut)) <= budget * MAX_HEAD_SHARE) ?? 0;
  return fitTail(messages.slice(end), budget, messages.slice(0, end));
}
