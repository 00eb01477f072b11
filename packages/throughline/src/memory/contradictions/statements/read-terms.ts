import type { Word } from "../../../language/parse-words.ts";
import { isStopWord } from "../../../language/stop-words.ts";
import { wordSet } from "../../../language/word-lists.ts";
import { isMeasure } from "./read-subject.ts";

/** A word that means something, where it stands. */
export interface Term {
  readonly base: string;
  readonly at: number;
  /** How much it counts: less for what only colours. */
  readonly weight: number;
}

const BETWEEN = wordSet("not never ever also already just only actually really always recently even");
const COLOUR = 0.4;

/** The words of a clause that mean something. */
export function readTerms(words: readonly Word[]): readonly Term[] {
  return words.flatMap((word, at): readonly Term[] => {
    const base = verbAt(words, at) ?? word.base;
    if (isStopWord(word.base, { fillers: true }) && base === word.base && base !== "have") return [];
    if (base === "have" && !isHeld(words, at)) return [];
    if (/^[$£€\d]/.test(word.text) || base.length < 2) return [];
    return [{ base, at, weight: word.text.endsWith("ly") || isMeasure(base) ? COLOUR : 1 }];
  });
}

/** `been to`, `went to`: a visit. */
function verbAt(words: readonly Word[], at: number): string | undefined {
  const isGone = words[at]?.text === "been" || words[at]?.base === "go";
  return isGone && words[at + 1]?.text === "to" && words[at]?.text !== "going" ? "visit" : undefined;
}

/** `have` as a verb of its own. */
function isHeld(words: readonly Word[], at: number): boolean {
  const next = words.slice(at + 1).find(({ text }) => !BETWEEN.has(text));
  return next !== undefined && !/(?:ed|en)$/.test(next.text) && next.base === next.text && next.text !== "to";
}
