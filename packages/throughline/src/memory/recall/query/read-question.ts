import { readNames } from "../../../language/names.ts";
import { readTerms, type Term } from "../../../language/terms.ts";
import { readWords } from "../../../language/words.ts";

/** Of whom something is asked: somebody who took part, or the user, whose memory it is. */
export type Person = { readonly name: string } | "user";

/** Words about talking itself, and about asking: what was said is looked for, not that somebody said it or ever did. */
const ASKING = new Set(
  readTerms(
    `ever already previously currently lately specific specifically particular certain various related regarding
    say said says saying mention mentioned mentions tell told tells talk talked talking discuss discussed ask asked asks
    recommend recommended suggest suggested remember recall know`,
  ).map(({ hash }) => hash),
);
const FIRST_PERSON = /(?<![\p{L}\p{N}])(?:i|me|my|mine|myself|we|us|our|ours)(?![\p{L}\p{N}])/iu;
/** What the other one said, who was only ever spoken with. */
const SECOND_PERSON =
  /\b(?:did|have|had) you\b|\byou (?:said|told|suggested|recommended|mentioned|gave|advised|proposed|provided|explained|listed|described|showed)\b|\byour (?:advice|suggestions?|recommendations?|answer|explanation|response|reply)\b/i;
const DONE = /^(?:have|had|did|has|was|were) [\p{L}\p{N}]/iu;
/** Shorter words are not taken for the beginning of a name. */
const MIN_NICKNAME_LENGTH = 3;

/** What is looked for: each word once. Where a question says nothing else, words about talking are looked for too. */
export function questionTerms(text: string): readonly Term[] {
  const all = [...new Map(readTerms(text).map((term) => [term.hash, term])).values()];
  const telling = all.filter(({ hash }) => !ASKING.has(hash));
  return telling.length > 0 ? telling : all;
}

/** Whether it is asked for what somebody did: "Have I ever …?" */
export function asksWhetherDone(text: string): boolean {
  return DONE.test(text);
}

/** Of whom something is asked, where that is one person. */
export function questionPerson(text: string, speakers: readonly string[]): Person | undefined {
  const words = new Set(readWords(text));
  const named = speakers.filter((name) => readWords(name).some((word) => words.has(word)));
  const [one, ...others] = new Set(named.length > 0 ? named : nicknamed(text, speakers));
  if (one !== undefined) return others.length === 0 ? { name: one } : undefined;
  return FIRST_PERSON.test(text) && !SECOND_PERSON.test(text) ? "user" : undefined;
}

/** "Mel" is Melanie, where it is written as a name. */
function nicknamed(text: string, speakers: readonly string[]): readonly string[] {
  const names = readNames(text).filter((name) => name.length >= MIN_NICKNAME_LENGTH);
  return speakers.filter((speaker) => names.some((name) => speaker.toLowerCase().startsWith(name)));
}
