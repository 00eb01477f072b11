import type { Memory } from "../../ports/memory.ts";
import type { Finding } from "../contradictions/claim.ts";
import { findContradiction } from "../contradictions/find-contradiction.ts";
import { factTerms } from "../facts/normalize-fact.ts";
import { slotClaim } from "./slot-claim.ts";

/**
 * Why two facts cannot both be true. A large memory holds many facts of the same form ("the shop runs on port 8080", "the
 * blog runs on port 9090"): different numbers are a contradiction only if nothing else distinguishes the two facts.
 */
export function findFactConflict(a: Memory, b: Memory): Finding | undefined {
  const finding = findContradiction(slotClaim(a), slotClaim(b));
  const isOfNumbers = finding?.kind === "number" || finding?.kind === "date";
  return isOfNumbers && areDistinguished(a, b) ? undefined : finding;
}

/** True if each fact has a word, other than a number, that the other one lacks. */
function areDistinguished(a: Memory, b: Memory): boolean {
  const [left, right] = [wordsOf(a), wordsOf(b)];
  return hasOther(left, right) && hasOther(right, left);
}

function wordsOf({ levels }: Memory): ReadonlySet<string> {
  return new Set(factTerms(levels.full).filter((term) => !NUMBER.test(term)));
}

function hasOther(own: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...own].some((term) => !other.has(term));
}

/** Digits, number words, and names of days and months, which the rules for numbers and dates compare. */
const NUMBER =
  /^(?:over:|from:|why:)?(?:[$€£#]?\d[\d.,:/-]*[a-z%]{0,3}|zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|million|half|dozen|couple|twice|once|both|(?:mon|tues|wednes|thurs|fri|satur|sun)dai?y?|januari?|februari?|march|april|mai|may|june|juli|july|august|septemb|octob|novemb|decemb|first|second|third|fourth|fifth)$/;
