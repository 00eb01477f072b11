import { countTotalTokens } from "throughline/tokens";
import { maskOutputs } from "../../compaction/windows/observation-masking.ts";
import { findCut, makeWindow } from "../cut-history.ts";
import { withCounts } from "../part-facts.ts";
import type { TurnPolicy } from "../turn-policy.ts";

const NEWEST = 10;
const SHARE = 0.5;
const OPENING_TOKENS = 32;

/** Each request shows only the newest 10 outputs; at the limit, the oldest messages are dropped, down to half. */
export const maskingEachTurn: TurnPolicy = {
  name: "observation masking, each turn",
  start: (_, budget) => {
    let from = 0;
    return {
      next: async (history) => {
        const room = budget - OPENING_TOKENS;
        const masked = withCounts(maskOutputs(history, NEWEST));
        if (countTotalTokens(masked.slice(from)) > room) from = findCut(masked, from, room * SHARE);
        return { window: makeWindow([], masked.slice(from), budget) };
      },
    };
  },
};

/** The same, but outputs are masked only when the limit is reached, all but the newest 10 at once. */
export const maskingAtLimit: TurnPolicy = {
  name: "observation masking, at the limit",
  start: (_, budget) => {
    let from = 0;
    let maskedUntil = 0;
    return {
      next: async (history) => {
        const room = budget - OPENING_TOKENS;
        const show = (until: number) => [
          ...withCounts(maskOutputs(history.slice(0, until), 0)),
          ...history.slice(until),
        ];
        let shown = show(maskedUntil);
        if (countTotalTokens(shown.slice(from)) > room) {
          maskedUntil = newestOutputs(history.map((message) => message.parts.filter(isOutput).length));
          shown = show(maskedUntil);
        }
        if (countTotalTokens(shown.slice(from)) > room) from = findCut(shown, from, room * SHARE);
        return { window: makeWindow([], shown.slice(from), budget) };
      },
    };
  },
};

function isOutput(part: { readonly type: string }): boolean {
  return part.type === "tool-result";
}

/** The index from which on there are at most 10 outputs. */
function newestOutputs(outputs: readonly number[]): number {
  let count = 0;
  const last = outputs.findLastIndex((here) => {
    count += here;
    return count > NEWEST;
  });
  return last + 1;
}
