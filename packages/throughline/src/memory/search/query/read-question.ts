import { baseForm } from "../../../language/stem.ts";
import { isFunctionWord, isStopWord } from "../../../language/stop-words.ts";
import { readTerms, type Term } from "../../../language/terms.ts";
import { readNames } from "../../../language/text-names.ts";
import { isUnspaced, readWords, wordSet } from "../../../language/words.ts";
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
