import { baseForm } from "../../language/stem.ts";
import { wordSet } from "../../language/word-lists.ts";
import { areSynonyms } from "../contradictions/words/synonyms.ts";
import { factTerms } from "../facts/normalize-fact.ts";

/** A word of a fact that tells, as it is compared. */
export interface SaidWord {
  readonly text: string;
  readonly base: string;
  readonly term: string;
}

const WORD = /[$£€]?[\p{L}\p{N}](?:[\p{L}\p{N}+#.@/_'’-]*[\p{L}\p{N}+#])?%?/gu;
/** `IT` and `US` are no small words. */
const CAPITALS = /^\p{Lu}{2,}$/u;
/** That something was chosen, and that it is the one that counts, goes without saying where it is what they have. */
const LIGHT = wordSet(
  "use uses used using decided decide chose chosen choose choosing picked adopted primary main team",
);
const NUMBERS = wordSet(
  "zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million",
);
const MARKS = /[\p{Extended_Pictographic}\p{Sc}\p{Sm}%]/gu;

/** The words of a fact that tell, in their order. */
export function readSaid(text: string): readonly SaidWord[] {
  return (text.match(WORD) ?? []).flatMap((word) => {
    const lower = word.toLowerCase();
    const known = factTerms(word).join(" ");
    const term = known === "" && CAPITALS.test(word) ? lower : known;
    return term === "" ? [] : [{ text: lower, base: baseForm(lower), term }];
  });
}

/** Whether two words say the same; figures only where they are the same. */
export function sayTheSameWord(a: SaidWord, b: SaidWord): boolean {
  if (isNumber(a) || isNumber(b)) return a.text === b.text;
  return a.term === b.term || areSynonyms(a.base, b.base);
}

/** Whether it may be left out without saying anything else. */
export function isLight({ text }: Pick<SaidWord, "text">): boolean {
  return LIGHT.has(text);
}

export function isNumber({ text }: SaidWord): boolean {
  return /\p{N}/u.test(text) || NUMBERS.has(text);
}

/** Signs that mean something and are no words, and words that only their capitals tell from small ones. */
export function readMarks(text: string): string {
  const names = (text.match(WORD) ?? []).filter((word) => CAPITALS.test(word) && factTerms(word).length === 0);
  return [...(text.match(MARKS) ?? []), ...names].sort().join(" ");
}
