import { baseForm } from "../../language/stem.ts";
import { readNames } from "../../language/text-names.ts";
import { wordSet } from "../../language/words.ts";
import type { Memory } from "../../ports/memory.ts";
import { compareFacts, toComparable } from "../facts/compare-facts.ts";
import { factTerms, normalizeFact } from "../facts/normalize-fact.ts";
import { isSingleValued, normalizeKey } from "../facts/slots.ts";
import { claimOf, findContradiction } from "../reconcile/contradictions.ts";
import { slotOf } from "./fact-index.ts";

/** A significant word of a fact, in the forms that are compared. */
interface FactWord {
  readonly text: string;
  readonly term: string;
}

/** Longer texts state more than one fact, so similar ones are not treated as equal. */
const MAX_FACT_LENGTH = 400;
/** With these words, word order determines the meaning: subject, object and negation. */
const ORDERED = /\b(?:not|no|nobody|none|never|without|cannot|\p{L}+n['’]t|longer|over|than|instead|rather|from)\b/iu;

/** True if two facts have the same words and the same meaning; word order is compared if it matters. */
export function haveSameWords(a: Memory, b: Memory): boolean {
  const [left, right] = [a.levels.full, b.levels.full];
  if (normalizeFact(left) !== normalizeFact(right) || !isCompatible(a, b)) return false;
  const isWordless = normalizeFact(left) === "";
  if (isWordless) return left.trim().toLowerCase() === right.trim().toLowerCase();
  return factTerms(left).join(" ") === factTerms(right).join(" ") || (!isOrdered(a, b) && isInStep(a, b));
}

/**
 * True if two similar facts have the same meaning in other words: each word of one has an equivalent in the other, and
 * they do not contradict each other. Similarity is not enough: "has two dogs" and "has three dogs" are very similar.
 * For single-valued keys, one fact may be more specific than the other.
 */
export function haveSameMeaning(a: Memory, b: Memory): boolean {
  const [left, right] = [a.levels.full, b.levels.full];
  if (Math.max(left.length, right.length) > MAX_FACT_LENGTH || !isCompatible(a, b)) return false;
  const [mine, yours] = [readFactWords(left), readFactWords(right)];
  if (mine.every(isOptionalWord) || yours.every(isOptionalWord)) return false;
  const [missing, added] = [unmatched(mine, yours), unmatched(yours, mine)];
  const isRefined = missing.length + added.length > 0;
  // "My boyfriend has a girlfriend" has two words for one of "I have a boyfriend".
  if (!isRefined && countTerms(mine) !== countTerms(yours)) return false;
  if (isRefined && (Math.min(missing.length, added.length) > 0 || !haveOneValue(a, b))) return false;
  if (isOrdered(a, b) ? isRefined || !isWordByWord(mine, yours) : !isInStep(a, b)) return false;
  return findContradiction(claimOf(a), claimOf(b)) === undefined;
}

/** True if symbols, grammar, category, key and slot do not distinguish the facts. */
function isCompatible(a: Memory, b: Memory): boolean {
  const [left, right] = [a.levels.full, b.levels.full];
  if (readSymbols(left) !== readSymbols(right) || grammarSignature(left) !== grammarSignature(right)) return false;
  if (a.category !== undefined && b.category !== undefined && a.category !== b.category) return false;
  if (a.key !== undefined && b.key !== undefined && normalizeKey(a.key) !== normalizeKey(b.key)) return false;
  const [said, known] = [toComparable(a), toComparable(b)];
  const relation = compareFacts(said, known);
  if (relation === "conflict" || compareFacts(known, said) === "conflict") return false;
  return relation === "same" || !haveSameSlot(a, b);
}

function haveSameSlot(a: Memory, b: Memory): boolean {
  const [mine, yours] = [slotOf(a), slotOf(b)];
  return mine?.value !== undefined && yours?.value !== undefined && mine.key === yours.key;
}

function haveOneValue(a: Memory, b: Memory): boolean {
  return haveSameSlot(a, b) && isSingleValued(slotOf(a)?.key ?? "");
}

function unmatched(words: readonly FactWord[], others: readonly FactWord[]): readonly FactWord[] {
  return words.filter((word) => !isOptionalWord(word) && !others.some((other) => isSameWord(word, other)));
}

function countTerms(words: readonly FactWord[]): number {
  return new Set(words.filter((word) => !isOptionalWord(word)).map(({ term }) => term)).size;
}

function isOrdered(a: Memory, b: Memory): boolean {
  return ORDERED.test(a.levels.full) || ORDERED.test(b.levels.full);
}

function isWordByWord(a: readonly FactWord[], b: readonly FactWord[]): boolean {
  return a.length === b.length && a.every((word, at) => isSameWord(word, b[at] ?? word));
}

/** True if shared numbers and names are in the same order: "Ann taught Bob" is not "Bob taught Ann". */
function isInStep(a: Memory, b: Memory): boolean {
  const [left, right] = [a.levels.full, b.levels.full];
  return haveSameOrder(readNames(left), readNames(right)) && haveSameOrder(numbersOf(left), numbersOf(right));
}

function numbersOf(text: string): readonly string[] {
  return readFactWords(text)
    .filter(isNumber)
    .map((word) => word.text);
}

function haveSameOrder(a: readonly string[], b: readonly string[]): boolean {
  const mine = a.filter((word) => b.includes(word));
  const yours = b.filter((word) => a.includes(word));
  return mine.join(" ") === yours.join(" ");
}

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
function grammarSignature(text: string): string {
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

const TOKEN = /[$£€]?[\p{L}\p{N}](?:[\p{L}\p{N}+#.@/_'’-]*[\p{L}\p{N}+#])?%?/gu;
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
  return (text.match(TOKEN) ?? []).flatMap((word) => {
    const lower = word.toLowerCase();
    const known = factTerms(word).join(" ");
    const term = known === "" && CAPITALS.test(word) ? lower : known;
    return term === "" ? [] : [{ text: lower, term }];
  });
}

/** True if two words are forms or spellings of one word; numbers must be equal. */
function isSameWord(a: FactWord, b: FactWord): boolean {
  if (isNumber(a) || isNumber(b)) return a.text === b.text;
  return a.term === b.term;
}

/** True if the word can be omitted without changing the meaning. */
function isOptionalWord({ text }: Pick<FactWord, "text">): boolean {
  return LIGHT.has(text);
}

function isNumber({ text }: FactWord): boolean {
  return /\p{N}/u.test(text) || NUMBERS.has(text);
}

/** Symbols with a meaning, and words in capitals that would be stop words in lower case. */
function readSymbols(text: string): string {
  const names = (text.match(TOKEN) ?? []).filter((word) => CAPITALS.test(word) && factTerms(word).length === 0);
  return [...(text.match(MARKS) ?? []), ...names].sort().join(" ");
}
