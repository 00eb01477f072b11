import { memoizeByText } from "../../internal/memoize.ts";
import { stem } from "../../language/stem.ts";
import { findName } from "../../language/text-names.ts";
import { wordSet } from "../../language/words.ts";

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:can't|cannot|cant)\b/g, "can not"],
  [/\bwon't\b/g, "will not"],
  [/n't\b/g, " not"],
  [/\bi'm\b|\bim\b/g, "i am"],
  [/'re\b/g, " are"],
  [/'ve\b/g, " have"],
  [/'ll\b/g, " will"],
  [/\bno longer\b|\bany ?more\b/g, " nomore "],
  [/\bnever\b/g, " not "],
  [/\b(?:(?:hate|dislike|loathe|detest|despise)[ds]?|can not stand)\b/g, " not like "],
  [/\bused to (?:be )?(?=\p{L})/gu, " was "],
  [/\bwere\b/g, " was "],
];
/** Words that do not change the meaning of a fact. */
const EMPTY = wordSet(`
  a an the user users he she they i we my our their his her its is am are be been being does do did has have had to of
  that who very really just also quite so much lot lots about currently now still presently actually definitely absolutely
  and in at on as it based living live lives located resides reside residing for s`);
/** Synonyms in statements of people about themselves. */
const SAME = new Map(
  `like: love enjoy adore fond keen fan | child: kid children | mom: mother mum |
  dad: father | job: occupation profession | work: employed | big: large huge | favorite: favourite preferred |
  color: colour | dog: puppy | cat: kitten | film: movie | photo: picture photograph | developer: programmer dev |
  us: usa america | nyc: new-york | begin: start | buy: purchase | often: frequently | tv: television | bike: bicycle`
    .split("|")
    .flatMap((line) => {
      const [name = "", words = ""] = line.split(":");
      return words
        .trim()
        .split(/\s+/)
        .map((word) => [stem(word), stem(name.trim())] as const);
    }),
);

/** Words that change the role of the words after them: "tabs over spaces" is not "spaces over tabs". */
const TURNS: ReadonlyMap<string, string> = new Map([
  ["over", "over"],
  ["than", "over"],
  ["instead", "over"],
  ["rather", "over"],
  ["from", "from"],
  ["because", "why"],
  ["since", "why"],
]);

/** The content words of a fact, each with its role in the sentence. */
export const factTerms: (text: string) => readonly string[] = memoizeByText(readTerms);

/**
 * A normal form that all wordings of a fact share: without contractions and persons, as stems in alphabetical order.
 * Words that follow "over", "from" and the like are prefixed with their role.
 *
 * @example
 * normalizeFact("I'm a React developer") === normalizeFact("User is a developer (React)"); // true
 */
export function normalizeFact(text: string): string {
  return [...new Set(factTerms(text))].sort().join(" ");
}

function readTerms(text: string): string[] {
  let part = "";
  return expandContractions(text).flatMap((word) => {
    const turn = TURNS.get(word);
    if (turn !== undefined) part = turn;
    if (turn !== undefined || EMPTY.has(word)) return [];
    const term = termOf(word);
    return [part === "" ? term : `${part}:${term}`];
  });
}

/** The content words of a value, without their roles. */
export function valueTerms(value: string): string[] {
  return factTerms(value).map((term) => term.replace(/^(?:over|from|why):/, ""));
}

function expandContractions(text: string): string[] {
  let plain = text.toLowerCase().replaceAll("’", "'");
  for (const [contraction, words] of CONTRACTIONS) plain = plain.replace(contraction, words);
  return plain.match(/[\p{L}\p{N}][\p{L}\p{N}+#.@/_-]*[\p{L}\p{N}+#]|[\p{L}\p{N}]/gu) ?? [];
}

/** A word in the form that all its spellings and synonyms share. */
export function termOf(word: string): string {
  const name = findName(word)?.name.toLowerCase();
  if (name !== undefined) return name;
  const root = stem(word);
  return SAME.get(root) ?? root;
}
