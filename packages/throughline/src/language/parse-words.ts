import { baseForm } from "./stem.ts";
import { wordList } from "./word-lists.ts";

/** A word or a punctuation mark in a text. */
export interface Word {
  /** In lower case. A contraction gives several words with the same position: "don't" gives `do` and `not`. */
  readonly text: string;
  readonly base: string;
  /** Position in the text, `end` exclusive. */
  readonly start: number;
  readonly end: number;
  readonly isAfterComma: boolean;
}

/** Numbers with their unit, words in any script (also `c++`, `node.js`, `full-time`), punctuation marks. */
const TOKEN =
  /[$£€]?\d+(?:[.,:/-]\d+)*(?:%|[a-z]+)?|\p{L}[\p{L}\p{M}]*(?:['’‘´]\p{L}+)*(?:[-+#./][\p{L}\p{N}]+)*[+#]*|[,;:.!?()…。！？]/giu;

const NEGATED = wordList("do does did is was are were has have had could would should must need");
const CONTRACTIONS: ReadonlyMap<string, string> = new Map([
  ...NEGATED.flatMap((verb): [string, string][] => [
    [`${verb}n't`, `${verb} not`],
    [`${verb}nt`, `${verb} not`],
  ]),
  ["can't", "can not"],
  ["cant", "can not"],
  ["cannot", "can not"],
  ["won't", "will not"],
  ["wont", "will not"],
  ["ain't", "is not"],
  ["aint", "is not"],
  ["n't", "not"],
  ["i'm", "i am"],
  ["im", "i am"],
  ["ive", "i have"],
  ["no-one", "nobody"],
  ["make-up", "makeup"],
]);
/** Pairs of words that are read as one, and negations that were split ("ca n't"). */
const PAIRS: ReadonlyMap<string, string> = new Map([
  ["no one", "nobody"],
  ["make up", "makeup"],
  ["t shirt", "t-shirt"],
  ["ca not", "can not"],
  ["wo not", "will not"],
]);
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ["re", "are"],
  ["ve", "have"],
  ["ll", "will"],
  ["d", "would"],
]);
/** Words after which `'s` is the verb "is" and not a possessive. */
const BEFORE_IS = new Set(wordList("it that there he she who what where here everyone nobody everything"));

/**
 * The words and punctuation marks of a text with their base forms and positions; contractions are spelled out.
 *
 * @example
 * parseWords("I don't mind.").map(({ text }) => text); // ["i", "do", "not", "mind", "."]
 */
export function parseWords(text: string): Word[] {
  const words: Word[] = [];
  let isAfterComma = false;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const position = { start: index, end: index + token.length };
    for (const part of spellOut(token)) {
      const last = words.at(-1);
      const pair = last === undefined ? undefined : PAIRS.get(`${last.text} ${part}`);
      if (last === undefined || pair === undefined) words.push({ ...toWord(part), ...position, isAfterComma });
      else words.splice(-1, 1, ...pair.split(" ").map((each) => ({ ...last, ...toWord(each), end: position.end })));
      isAfterComma = part === ",";
    }
  }
  return words;
}

function toWord(text: string): Pick<Word, "text" | "base"> {
  return { text, base: baseForm(text) };
}

/** The words of a token in lower case. */
function spellOut(token: string): readonly string[] {
  const word = token.toLowerCase().replace(/[’‘´]/g, "'");
  const known = CONTRACTIONS.get(word);
  if (known !== undefined) return known.split(" ");
  const parts = word.split("'");
  const [first = "", ending = "", ...others] = parts;
  if (parts.length === 1) return parts;
  if (others.length > 0) return parts.filter((part) => part !== "");
  if (ending === "s") return BEFORE_IS.has(first) ? [first, "is"] : [first];
  return [first, ENDINGS.get(ending) ?? ending];
}
