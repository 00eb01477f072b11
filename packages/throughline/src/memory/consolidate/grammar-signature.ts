import { baseForm } from "../../language/stem.ts";
import { wordSet } from "../../language/word-lists.ts";
import { isOptionalWord } from "./fact-tokens.ts";

const WORD = /[\p{L}\p{N}'’-]+/gu;
/** Word forms that differ from their base form but are not past tense. */
const NOT_PAST = wordSet(
  "am are is men women children people mice feet teeth geese better best worse worst less further farther us colour colored coloured favourite favorite based located math lay",
);
const BEFORE = wordSet("was former formerly previously once ago ex-wife ex-husband");
const OTHERS: ReadonlyMap<string, string> = new Map(
  ["he him his", "she her hers", "they them their theirs"].flatMap((line) => {
    const words = line.split(" ");
    return words.map((word) => [word, words[0] ?? ""] as const);
  }),
);
const HAS = /\b(?:have|has|own|owns|['’]ve)\b(?! (?:been|to|never|not|always|just|already|had|\p{L}{2,}ed)\b)/iu;
const HAS_TO = /\bha(?:ve|s) to\b/i;
/** Words that the comparison of facts ignores, although they sometimes matter: "a living", "live music", "my dad". */
const LIVES = /\b(?:lives?|living|resid\p{L}+|based|located)\b/iu;
const MINE = /\b(?:my|our|mine|user['’]s)\b/iu;

/**
 * Person, tense and possession of a statement, taken from the words that the comparison of facts ignores. Facts with
 * different signatures differ: "used to ride horses", "his job" and "has fish" are not "rides horses", "my job" and
 * "fishes".
 */
export function grammarSignature(text: string): string {
  const words = (text.toLowerCase().match(WORD) ?? []).map((word) => word.replace("’", "'"));
  const others = new Set(words.flatMap((word) => OTHERS.get(word) ?? []));
  const isPast = words.some((word, at) => isPastTense(word, words[at + 1] ?? ""));
  const flags = [isPast, ...[HAS, HAS_TO, LIVES, MINE].map((cue) => cue.test(text))].map(Number);
  return [...[...others].sort(), ...flags].join(" ");
}

function isPastTense(word: string, next: string): boolean {
  if (BEFORE.has(word) || (word === "used" && next === "to")) return true;
  const bare = word.replace(/n't$/, "");
  if (isOptionalWord({ text: bare }) || NOT_PAST.has(bare) || /(?:s|ing)$/.test(bare)) return false;
  return baseForm(bare) !== bare;
}
