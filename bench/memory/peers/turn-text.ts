import { dateWords } from "../../../packages/throughline/src/language/dates.ts";
import type { SaidTurn } from "../recall/conversation.ts";

/** The day of a turn, in words. */
export function dayOf({ at }: SaidTurn): string {
  return at === undefined ? "" : dateWords(at);
}

/**
 * A turn as one text: with day and speaker, packages find more than with the text alone (R@10: mem0 62 instead of 55,
 * vectors alone 38 instead of 33).
 */
export function turnText(turn: SaidTurn): string {
  const { speaker = turn.role, text } = turn;
  return `${dayOf(turn)} ${speaker}: ${text}`;
}
