import { hasChangeMarker } from "../../language/change-markers.ts";
import type { Turn } from "../../ports/memory.ts";
import type { TextSpan } from "../extract/extract-turn.ts";
import { readSentences, type SaidSentence } from "./said-sentence.ts";

/** What was said before, taken apart. */
export interface KnownTurn {
  readonly turn: Turn;
  readonly sentences: readonly SaidSentence[];
  /** How many turns ago in the same session; endless where it was another one. */
  readonly ago: number;
}

/** What is said now. */
export interface News {
  readonly turn: Turn;
  readonly sentences: readonly SaidSentence[];
}

/** Says that a stretch of a turn does not hold any more. `old` is the value that is no longer right. */
export type Mark = (known: KnownTurn, span: TextSpan, old?: string) => void;

/** One way in which what is said outdates what was said. */
export type StalenessRule = (news: News, known: readonly KnownTurn[], mark: Mark) => void;

/** Turns do not change, and are compared with all that follows them. */
const taken = new WeakMap<Turn, readonly SaidSentence[]>();

function sentencesOf(turn: Turn): readonly SaidSentence[] {
  const sentences = taken.get(turn) ?? readSentences(turn.text);
  taken.set(turn, sentences);
  return sentences;
}

/** Characters at the start of a turn in which it says that it tells of a change. */
const LEAD_LENGTH = 60;

/** Whether a sentence, or the start of its turn, says that something has changed. */
export function isNews(sentence: string, turn: string): boolean {
  return hasChangeMarker(sentence) || hasChangeMarker(turn.slice(0, LEAD_LENGTH));
}

/** Earlier turns, the nearest first. */
export function readKnown(newTurn: Turn, earlier: readonly Turn[]): KnownTurn[] {
  return earlier
    .filter(({ id }) => id !== newTurn.id)
    .map((turn) => ({ turn, sentences: sentencesOf(turn), ago: howLongAgo(newTurn, turn) }))
    .filter(({ ago }) => ago > 0)
    .sort((a, b) => a.ago - b.ago);
}

function howLongAgo(newTurn: Turn, turn: Turn): number {
  return turn.sessionId === newTurn.sessionId ? newTurn.position - turn.position : Number.POSITIVE_INFINITY;
}

/** Whether two turns come from the same side, as far as that is known. */
export function isSameSpeaker(a: Turn, b: Turn): boolean {
  return a.role === b.role && (a.speaker ?? "") === (b.speaker ?? "");
}
