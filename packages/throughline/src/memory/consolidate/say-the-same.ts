import { readNames } from "../../language/names.ts";
import type { Memory } from "../../ports/memory.ts";
import { findContradiction } from "../contradictions/find-contradiction.ts";
import { compareFacts, toComparable } from "../facts/compare-facts.ts";
import { factTerms, normalizeFact } from "../facts/normalize-fact.ts";
import { isSingleValued, normalizeKey } from "../facts/slot-keys.ts";
import { readManner } from "./read-manner.ts";
import { isLight, isNumber, readMarks, readSaid, type SaidWord, sayTheSameWord } from "./said-words.ts";
import { slotClaim, slotOf } from "./slot-claim.ts";

/** What is longer says more than one thing: that it is similar does not make it the same. */
const MAX_FACT_LENGTH = 400;
/** With these the order of words tells who does what to whom, and what is denied. */
const ORDERED = /\b(?:not|no|nobody|none|never|without|cannot|\p{L}+n['’]t|longer|over|than|instead|rather|from)\b/iu;

/** Whether two facts have the same words and also say the same: the words may stand in an order that tells. */
export function saySameWords(a: Memory, b: Memory): boolean {
  const [left, right] = [a.levels.full, b.levels.full];
  if (normalizeFact(left) !== normalizeFact(right) || !isCompatible(a, b)) return false;
  const isWordless = normalizeFact(left) === "";
  if (isWordless) return left.trim().toLowerCase() === right.trim().toLowerCase();
  return factTerms(left).join(" ") === factTerms(right).join(" ") || (!isOrdered(a, b) && isInStep(a, b));
}

/**
 * Whether two similar facts say the same in other words: each word of one has its like in the other, and nothing
 * contradicts. Similar is not the same: "has two dogs" and "has three dogs", or "likes cats" and "likes dogs", are as
 * similar as can be. Where there is one value at a time, one of them may say it more exactly.
 */
export function saySameThing(a: Memory, b: Memory): boolean {
  const [left, right] = [a.levels.full, b.levels.full];
  if (Math.max(left.length, right.length) > MAX_FACT_LENGTH || !isCompatible(a, b)) return false;
  const [mine, yours] = [readSaid(left), readSaid(right)];
  if (mine.every(isLight) || yours.every(isLight)) return false;
  const [missing, added] = [unmatched(mine, yours), unmatched(yours, mine)];
  const isRefined = missing.length + added.length > 0;
  // "My boyfriend has a girlfriend" has two words for one of "I have a boyfriend".
  if (!isRefined && countTerms(mine) !== countTerms(yours)) return false;
  if (isRefined && (Math.min(missing.length, added.length) > 0 || !haveOneValue(a, b))) return false;
  if (isOrdered(a, b) ? isRefined || !isWordByWord(mine, yours) : !isInStep(a, b)) return false;
  return findContradiction(slotClaim(a), slotClaim(b)) === undefined;
}

/** Nothing beside their telling words tells them apart. */
function isCompatible(a: Memory, b: Memory): boolean {
  const [left, right] = [a.levels.full, b.levels.full];
  if (readMarks(left) !== readMarks(right) || readManner(left) !== readManner(right)) return false;
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

function unmatched(words: readonly SaidWord[], others: readonly SaidWord[]): readonly SaidWord[] {
  return words.filter((word) => !isLight(word) && !others.some((other) => sayTheSameWord(word, other)));
}

function countTerms(words: readonly SaidWord[]): number {
  return new Set(words.filter((word) => !isLight(word)).map(({ term }) => term)).size;
}

function isOrdered(a: Memory, b: Memory): boolean {
  return ORDERED.test(a.levels.full) || ORDERED.test(b.levels.full);
}

function isWordByWord(a: readonly SaidWord[], b: readonly SaidWord[]): boolean {
  return a.length === b.length && a.every((word, at) => sayTheSameWord(word, b[at] ?? word));
}

/** Numbers and names that both have stand in the same order: "Ann taught Bob" is not "Bob taught Ann". */
function isInStep(a: Memory, b: Memory): boolean {
  const [left, right] = [a.levels.full, b.levels.full];
  return haveSameOrder(readNames(left), readNames(right)) && haveSameOrder(numbersOf(left), numbersOf(right));
}

function numbersOf(text: string): readonly string[] {
  return readSaid(text)
    .filter(isNumber)
    .map((word) => word.text);
}

function haveSameOrder(a: readonly string[], b: readonly string[]): boolean {
  const mine = a.filter((word) => b.includes(word));
  const yours = b.filter((word) => a.includes(word));
  return mine.join(" ") === yours.join(" ");
}
