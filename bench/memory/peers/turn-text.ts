import { dateWords } from "../../../packages/throughline/src/memory/recall/words/date-words.ts";
import type { SaidTurn } from "../recall/conversation.ts";

/** The day on which a turn was said, in words. */
export function dayOf({ at }: SaidTurn): string {
  return at === undefined ? "" : dateWords(at);
}

/**
 * A turn for packages that take one text: with its day and its speaker they find more than with the text alone
 * (R@10: mem0 62 instead of 55, vectors alone 38 instead of 33).
 */
export function turnText(turn: SaidTurn): string {
  const { speaker = turn.role, text } = turn;
  return `${dayOf(turn)} ${speaker}: ${text}`;
}
