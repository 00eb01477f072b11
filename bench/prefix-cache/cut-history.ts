import { type Message, repairWindow } from "throughline";
import { legalCutPoints } from "throughline/messages";
import { countTotalTokens } from "throughline/tokens";
import { fitTail } from "../compaction/windows/fit-tail.ts";

/** The first valid cut at or after `from` that leaves at most `target` tokens. */
export function findCut(history: readonly Message[], from: number, target: number): number {
  const cuts = legalCutPoints(history).filter((cut) => cut >= from && cut < history.length);
  let tokens = 0;
  let end = history.length;
  let best = cuts.at(-1) ?? from;
  for (const cut of cuts.toReversed()) {
    tokens += countTotalTokens(history.slice(cut, end));
    if (tokens > target) break;
    best = cut;
    end = cut;
  }
  return best;
}

/**
 * Head and rest as one valid window; if it is over the budget, the oldest messages are dropped and large ones
 * shortened.
 */
export function makeWindow(head: readonly Message[], rest: readonly Message[], budget: number): readonly Message[] {
  const window = repairWindow([...head, ...rest]).messages;
  return countTotalTokens(window) <= budget ? window : fitTail(rest, budget, head);
}
