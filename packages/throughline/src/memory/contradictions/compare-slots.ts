import { parseWords } from "../../language/parse-words.ts";
import { wordSet } from "../../language/word-lists.ts";
import { boundMarks } from "../../language/words.ts";
import type { Claim, Finding } from "./claim.ts";
import { readableText } from "./statements/statement.ts";
import { areSynonyms } from "./words/synonyms.ts";

const USER = "user";
const DENIALS = wordSet("no not never none without nobody");
const CONFIDENCE = 0.95;

/**
 * What the keys and values of two claims tell: a contradiction; none, whatever their words; or that the words
 * decide.
 */
export function compareSlots(a: Claim, b: Claim): Finding | "none" | "open" {
  if (a.subject !== undefined && b.subject !== undefined && plain(a.subject) !== plain(b.subject)) return "none";
  if (a.key === undefined || b.key === undefined || plain(a.key) !== plain(b.key)) return "open";
  if (plain(a.subject ?? USER) !== plain(b.subject ?? USER) || a.takesMany === true || b.takesMany === true)
    return "open";
  if (a.value === undefined || b.value === undefined) return "open";
  if (isSameValue(a.value, b.value)) return "none";
  return { kind: "value", reason: `${a.key}: one says ${a.value}, the other ${b.value}.`, confidence: CONFIDENCE };
}

/** The same, or one of them more exactly: `PostgreSQL` and `Postgres 16`. */
function isSameValue(a: string, b: string): boolean {
  if (plain(a) === plain(b)) return true;
  const [left, right] = [wordsOf(a), wordsOf(b)];
  if (left.some((word) => DENIALS.has(word)) !== right.some((word) => DENIALS.has(word))) return false;
  return left.length > 0 && right.length > 0 && (isWithin(left, right) || isWithin(right, left));
}

function isWithin(words: readonly string[], others: readonly string[]): boolean {
  return words.every((word) => others.some((other) => areSynonyms(word, other)));
}

function wordsOf(value: string): readonly string[] {
  return parseWords(readableText(value)).flatMap(({ base }) => (/[\p{L}\p{N}]/u.test(base) ? base : []));
}

/** As it is compared: `error_handling` is `Error handling`. */
function plain(name: string): string {
  return boundMarks(name)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_\-.:]+/g, " ")
    .trim();
}
