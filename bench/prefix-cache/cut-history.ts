import { type Message, repairWindow } from "throughline";
import { legalCutPoints } from "throughline/messages";
import { countTotalTokens } from "throughline/tokens";
import { fitTail } from "../compaction/windows/fit-tail.ts";

/** The first place at or after `from` where the history may be cut so that the rest takes at most `target` tokens. */
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

/** Head and rest as one legal window; where even that is over the budget, its oldest go and giants are cut. */
export function makeWindow(head: readonly Message[], rest: readonly Message[], budget: number): readonly Message[] {
  const window = repairWindow([...head, ...rest]).messages;
  return countTotalTokens(window) <= budget ? window : fitTail(rest, budget, head);
}
