import type { Message } from "throughline";
import { legalCutPoints } from "throughline/messages";
import { countTotalTokens } from "throughline/tokens";
import { findCut, makeWindow } from "../cut-history.ts";
import type { TurnPolicy } from "../turn-policy.ts";

const MAX_HEAD_SHARE = 0.25;
const OPENING_TOKENS = 32;

/** Keeps the first exchange; at the limit, drops the middle until `share` of the budget is used. */
export function middleOutTurns(name: string, share: number): TurnPolicy {
  return {
    name,
    start: (_, budget) => {
      let head: readonly Message[] = [];
      let from = 0;
      return {
        next: async (history) => {
          const room = budget - OPENING_TOKENS;
          if (countTotalTokens(head) + countTotalTokens(history.slice(from)) > room) {
            if (head.length === 0) head = firstExchange(history, budget * MAX_HEAD_SHARE);
            from = findCut(history, Math.max(from, head.length), room * share - countTotalTokens(head));
          }
          return { window: makeWindow(head, history.slice(from), budget) };
        },
      };
    },
  };
}

function firstExchange(history: readonly Message[], most: number): readonly Message[] {
  const reply = history.findIndex((message) => message.role === "assistant");
  const cuts = legalCutPoints(history);
  const ends = [cuts.find((cut) => cut > reply), cuts.find((cut) => cut > 0)];
  const end = ends.find((cut) => cut !== undefined && countTotalTokens(history.slice(0, cut)) <= most);
  return history.slice(0, end ?? 0);
}
