import { wordSet } from "../../language/word-lists.ts";
import { factTerms } from "../facts/normalize-fact.ts";

/** A significant word of a fact, in the forms that are compared. */
export interface FactWord {
  readonly text: string;
  readonly term: string;
}

const WORD = /[$£€]?[\p{L}\p{N}](?:[\p{L}\p{N}+#.@/_'’-]*[\p{L}\p{N}+#])?%?/gu;
/** Words in capitals, such as `IT` and `US`, are names even if their lower case is a stop word. */
const CAPITALS = /^\p{Lu}{2,}$/u;
/** Words that do not change the meaning: a team that has something uses it or chose it. */
const LIGHT = wordSet(
  "use uses used using decided decide chose chosen choose choosing picked adopted primary main team",
);
const NUMBERS = wordSet(
  "zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred thousand million",
);
const MARKS = /[\p{Extended_Pictographic}\p{Sc}\p{Sm}%]/gu;

/** The significant words of a fact, in order. */
export function readFactWords(text: string): readonly FactWord[] {
  return (text.match(WORD) ?? []).flatMap((word) => {
    const lower = word.toLowerCase();
    const known = factTerms(word).join(" ");
    const term = known === "" && CAPITALS.test(word) ? lower : known;
    return term === "" ? [] : [{ text: lower, term }];
  });
}

/** True if two words are forms or spellings of one word; numbers must be equal. */
export function isSameWord(a: FactWord, b: FactWord): boolean {
  if (isNumber(a) || isNumber(b)) return a.text === b.text;
  return a.term === b.term;
}

/** True if the word can be omitted without changing the meaning. */
export function isOptionalWord({ text }: Pick<FactWord, "text">): boolean {
  return LIGHT.has(text);
}

export function isNumber({ text }: FactWord): boolean {
  return /\p{N}/u.test(text) || NUMBERS.has(text);
}

/** Symbols with a meaning, and words in capitals that would be stop words in lower case. */
export function readSymbols(text: string): string {
  const names = (text.match(WORD) ?? []).filter((word) => CAPITALS.test(word) && factTerms(word).length === 0);
  return [...(text.match(MARKS) ?? []), ...names].sort().join(" ");
}
