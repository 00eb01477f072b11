import { stemOfVariant } from "../../../language/stem.ts";
import { hashText, type Term } from "../../../language/terms.ts";
import type { View } from "../index/view.ts";
import type { QuestionTerm } from "./read-question.ts";

/** Letters of the alphabets in which a letter can be missing or wrong. */
const ALPHABETS = ["abcdefghijklmnopqrstuvwxyz", "абвгдежзиклмнопрстуфхцчшщъыьэюя", "αβγδεζηθικλμνξοπρστυφχψως"];
/** Shorter words have too many neighbors; longer words are not names. */
const MIN_LENGTH = 5;
const MAX_LENGTH = 24;
/** Maximum number of words to correct per query. Each one costs some hundred lookups. */
const MAX_CORRECTED = 6;

/**
 * Replaces words that no visible document has by words that some document has: the verb of a tool ("lint" for "linter"),
 * or, for an unknown word, one that is one edit away: a letter too many, missing, wrong, or two swapped. The first letter
 * is assumed to be right.
 */
export function correctTypos(terms: readonly QuestionTerm[], views: readonly View[]): readonly QuestionTerm[] {
  const isMissing = ({ word, hash }: QuestionTerm): boolean =>
    word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && /^\p{L}+$/u.test(word) && !isVisible(views, hash);
  const missing = new Set(terms.filter(isMissing).slice(0, MAX_CORRECTED));
  if (missing.size === 0) return terms;
  return terms.map((term) => {
    if (!missing.has(term)) return term;
    const typos = term.isSpelled ? [] : editsOf(term.word, alphabetOf(term.word));
    const intended = mostFrequent(verbsOf(term.word), views) ?? mostFrequent(typos, views);
    return intended === undefined ? term : { ...term, ...intended, typed: term.word };
  });
}

/** Verbs for a tool: "lint" for "linter", "format" for "formatter", "parse" for "parser". */
function verbsOf(word: string): readonly string[] {
  if (!word.endsWith("er") || word.length <= MIN_LENGTH) return [];
  const base = word.slice(0, -2);
  return [base, `${base}e`, ...(base.at(-1) === base.at(-2) ? [base.slice(0, -1)] : [])];
}

function alphabetOf(word: string): string {
  return ALPHABETS.find((letters) => letters.includes(word.charAt(0))) ?? "";
}

/** The word that occurs in the most visible documents. */
function mostFrequent(words: Iterable<string>, views: readonly View[]): Term | undefined {
  let intended: Term | undefined;
  let most = 0;
  for (const variant of words) {
    const hash = hashText(stemOfVariant(variant));
    if (countAll(views, hash) <= most) continue;
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

/** True if a visible document has the term. */
function isVisible(views: readonly View[], hash: number): boolean {
  return views.some(({ index, visible }) =>
    index.postings.find(hash).some(({ documents }) => documents.some((document) => visible[document] === 1)),
  );
}

/** Number of visible documents with the term. */
function countVisible(views: readonly View[], hash: number): number {
  let count = 0;
  for (const { index, visible } of views) {
    for (const { documents } of index.postings.find(hash)) {
      for (const document of documents) count += visible[document] as number;
    }
  }
  return count;
}

/** Number of documents with the term, also of those that are not visible. */
function countAll(views: readonly View[], hash: number): number {
  return views.reduce((sum, { index }) => sum + index.postings.count(hash), 0);
}
