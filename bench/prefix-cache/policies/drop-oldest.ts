import { countTotalTokens } from "throughline/tokens";
import { findCut, makeWindow } from "../cut-history.ts";
import type { TurnPolicy } from "../turn-policy.ts";

/** Reserved tokens for the opening of a window that starts with the assistant. */
const OPENING_TOKENS = 32;

/** Does nothing until the limit; then drops the oldest messages until `share` of the budget is used. */
export function dropOldest(name: string, share: number): TurnPolicy {
  return {
    name,
    start: (_, budget) => {
      let from = 0;
      return {
        next: async (history) => {
          const room = budget - OPENING_TOKENS;
          if (countTotalTokens(history.slice(from)) > room) from = findCut(history, from, room * share);
          return { window: makeWindow([], history.slice(from), budget) };
        },
      };
    },
  };
}
