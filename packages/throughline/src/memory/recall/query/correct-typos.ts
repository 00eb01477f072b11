import { stem } from "../../../language/stem.ts";
import { hashText, type Term } from "../../../language/terms.ts";
import type { View } from "../index/view.ts";
import type { QuestionTerm } from "./read-question.ts";

/** Letters of the alphabets in which a letter can be missing or wrong. */
const ALPHABETS = ["abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмнопрстуфхцчшщъыьэюя", "αβγδεζηθικλμνξοπρστυφχψως"];
/** Shorter words have too many neighbors; longer ones are no names. */
const MIN_LENGTH = 5;
const MAX_LENGTH = 24;
/** Words that are corrected per question: each one costs some hundred lookups. */
const MAX_CORRECTED = 6;

/**
 * Replaces unknown words that no visible document has by words that are one edit away and that some document has: a
 * letter too many, missing, wrong, or two swapped. The first letter is taken as right.
 */
export function correctTypos(terms: readonly QuestionTerm[], views: readonly View[]): readonly QuestionTerm[] {
  const isSuspect = ({ word, isKnownWord, hash }: QuestionTerm): boolean =>
    !isKnownWord &&
    word.length >= MIN_LENGTH &&
    word.length <= MAX_LENGTH &&
    /^\p{L}+$/u.test(word) &&
    countVisible(views, hash) === 0;
  const suspects = new Set(terms.filter(isSuspect).slice(0, MAX_CORRECTED));
  if (suspects.size === 0) return terms;
  return terms.map((term) => {
    const intended = suspects.has(term) ? findIntended(term.word, views) : undefined;
    return intended === undefined ? term : { ...term, ...intended, typed: term.word };
  });
}

/** The word one edit away that most visible documents have. */
function findIntended(word: string, views: readonly View[]): Term | undefined {
  const alphabet = ALPHABETS.find((letters) => letters.includes(word.charAt(0))) ?? "";
  let intended: Term | undefined;
  let most = 0;
  for (const variant of editsOf(word, alphabet)) {
    const hash = hashText(stem(variant, { irregular: true }));
    const count = countVisible(views, hash);
    if (count > most) [intended, most] = [{ word: variant, hash }, count];
  }
  return intended;
}

function* editsOf(word: string, alphabet: string): Generator<string> {
  for (let at = 1; at <= word.length; at += 1) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    if (after.length > 1) yield before + after.charAt(1) + after.charAt(0) + after.slice(2);
    if (after.length > 0) yield before + after.slice(1);
    for (const letter of alphabet) {
      if (after.length > 0) yield before + letter + after.slice(1);
      yield before + letter + after;
    }
  }
}

/** Visible documents with the term. */
function countVisible(views: readonly View[], hash: number): number {
  let count = 0;
  for (const { index, visible } of views) {
    if (!index.postings.has(hash)) continue;
    for (const document of index.postings.find(hash).documents) count += visible[document] as number;
  }
  return count;
}
