import { baseForm, stemOfVariant } from "../../../language/stem.ts";
import { isFunctionWord, isStopWord } from "../../../language/stop-words.ts";
import { hashText, readTerms, type Term } from "../../../language/terms.ts";
import { readNames } from "../../../language/text-names.ts";
import { isUnspaced, readWords, wordSet } from "../../../language/words.ts";
import type { View } from "../index/view.ts";
import type { Question } from "../search.ts";

/** The person that a query is about: a speaker, or the user, who owns the memory. */
export type Person = { readonly name: string } | "user";

/** A word of the query, with its specificity in general text: 0 to 1. */
export interface QuestionTerm extends Term {
  readonly specificity: number;
  /**
   * True if general text has the word, or it is written with capitals inside, like a name. Others may be misspelled.
   */
  readonly isSpelled: boolean;
  /** The word as typed, if it was corrected. */
  readonly typed?: string;
}

/** Words about speech and questions. A query is about the content of an utterance, so these words are ignored. */
const ASKING = new Set(
  readTerms(
    `ever already previously currently lately specific specifically particular certain various related regarding
    say said says saying mention mentioned mentions tell told tells talk talked talking discuss discussed ask asked asks
    recommend recommended suggest suggested remember recall know`,
  ).map(({ hash }) => hash),
);
/** Common verbs and nouns of questions and requests, which are more frequent in speech than in general text. */
const VAGUE = wordSet(`
  use prefer want need try help make take give find show look start work run keep put come set add change happen think mean
  kind sort way part case example question answer idea problem reason difference today yesterday tomorrow`);
/** Without "we", which means all speakers. */
const FIRST_PERSON = /(?<![\p{L}\p{N}])(?:i|me|my|mine|myself)(?![\p{L}\p{N}])/iu;
/** Questions about utterances of the assistant. */
const SECOND_PERSON =
  /\b(?:did|have|had) you\b|\byou (?:said|told|suggested|recommended|mentioned|gave|advised|proposed|provided|explained|listed|described|showed)\b|\byour (?:advice|suggestions?|recommendations?|answer|explanation|response|reply)\b/i;
const DONE = /^(?:have|had|did|has|was|were) [\p{L}\p{N}]/iu;
/** Rarity (see {@link Question.rarity}) of a word that is unrelated to a topic, and of one that names it. */
const ORDINARY = 8;
const SPECIFIC = 12;
const DEFAULT_SPECIFICITY = 0.6;
/** "PagerDuty": a word with a capital after a small letter, which is a name. */
const INNER_CAPITAL = /[\p{L}\p{N}]*\p{Ll}\p{Lu}[\p{L}\p{N}]*/gu;
/** Shorter words are not matched as prefixes of a name. */
const MIN_NICKNAME_LENGTH = 3;

/** The search terms of a query, each once. Words about speech are included only if there are no others. */
export function questionTerms({ text, rarity }: Pick<Question, "text" | "rarity">): readonly QuestionTerm[] {
  const isForeign = isNotEnglish(text);
  const names = new Set((text.match(INNER_CAPITAL) ?? []).flatMap(readWords));
  const all = [...new Map(readTerms(text).map((term) => [term.hash, term])).values()].map((term) => ({
    ...term,
    ...((isForeign || isUnspaced(term.word)) && isFunctionWord(term.word) ? BROAD : weighWord(term.word, rarity)),
    ...(names.has(term.word) && { isSpelled: true }),
  }));
  const telling = all.filter(({ hash }) => !ASKING.has(hash));
  return telling.length > 0 ? telling : all;
}

const BROAD = { specificity: 0, isSpelled: true };

/** True if a text has more function words of other languages than of English. */
export function isNotEnglish(text: string): boolean {
  const common = readWords(text).filter(isFunctionWord);
  return 2 * common.filter((word) => isStopWord(word, { fillers: true })).length < common.length;
}

function weighWord(word: string, rarity: Question["rarity"]): Pick<QuestionTerm, "specificity" | "isSpelled"> {
  if (isStopWord(word, { fillers: true }) || VAGUE.has(baseForm(word))) return BROAD;
  if (rarity === undefined) return { specificity: DEFAULT_SPECIFICITY, isSpelled: false };
  const base = baseForm(word);
  const known = (base === word ? [word] : [word, base]).map(rarity).filter((one) => one !== undefined);
  if (known.length === 0) return { specificity: 1, isSpelled: false };
  const specificity = (Math.min(...known) - ORDINARY) / (SPECIFIC - ORDINARY);
  return { specificity: Math.min(1, Math.max(0, specificity)), isSpelled: true };
}

/** True if a query asks for past actions: "Have I ever …?" */
export function asksWhetherDone(text: string): boolean {
  return DONE.test(text);
}

/** The person that a query is about; `undefined` if there is none or more than one. */
export function questionPerson(text: string, speakers: readonly string[]): Person | undefined {
  const words = new Set(readWords(text));
  const named = speakers.filter((name) => readWords(name).some((word) => words.has(word)));
  const [one, ...others] = new Set(named.length > 0 ? named : nicknamed(text, speakers));
  if (one !== undefined) return others.length === 0 ? { name: one } : undefined;
  return FIRST_PERSON.test(text) && !SECOND_PERSON.test(text) ? "user" : undefined;
}

/** Speakers whose name starts with a name in the query: "Mel" for Melanie. */
function nicknamed(text: string, speakers: readonly string[]): readonly string[] {
  const names = readNames(text).filter((name) => name.length >= MIN_NICKNAME_LENGTH);
  return speakers.filter((speaker) => names.some((name) => speaker.toLowerCase().startsWith(name)));
}

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
