import { countTotalTokens } from "throughline/tokens";
import { findCut, makeWindow } from "../cut-history.ts";
import type { TurnPolicy } from "../turn-policy.ts";

/** Room for the opening that a window gets which begins with the assistant. */
const OPENING_TOKENS = 32;

/** Nothing until the limit; then the oldest go, until `share` of the budget is in use. */
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
