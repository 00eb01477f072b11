import type { Claim, Finding } from "./claim.ts";
import { compareSlots } from "./compare-slots.ts";
import { findAntonym } from "./rules/by-antonym.ts";
import { findDate } from "./rules/by-date.ts";
import { findLack } from "./rules/by-lack.ts";
import { findNegation } from "./rules/by-negation.ts";
import { findOpinion } from "./rules/by-opinion.ts";
import { findQuantity } from "./rules/by-quantity.ts";
import { findSlot } from "./rules/by-slot.ts";
import type { Rule } from "./rules/rule.ts";
import { readStatements, type Statement } from "./statements/statement.ts";

const RULES: readonly Rule[] = [findOpinion, findNegation, findLack, findAntonym, findSlot, findQuantity, findDate];

/** Pairs of statements that a rule compares at most: two texts of 140 clauses each, which is more than a memory says. */
const MAX_PAIRS = 20_000;

/**
 * Checks by rules whether two claims cannot both be true, and says why. The rules compare keys and values, then the text,
 * which must be English: opinions, negations, antonyms, quantities and dates. Claims that are valid at different times do
 * not contradict each other.
 *
 * @param a One claim.
 * @param b The other claim. If both texts are very long, only their first statements are compared (20,000 pairs).
 * @returns The kind, the reason as a sentence, and the confidence; `undefined` if the rules find no contradiction.
 *
 * @example
 * findContradiction({ text: "I have two dogs." }, { text: "I don't have any pets." })?.kind; // "negation"
 */
export function findContradiction(a: Claim, b: Claim): Finding | undefined {
  if (!meetInTime(a, b)) return undefined;
  const slots = compareSlots(a, b);
  if (slots !== "open") return slots === "none" ? undefined : slots;
  if (a.text.trim() === b.text.trim()) return undefined;
  const [left, right] = boundPairs(readStatements(a.text), readStatements(b.text));
  for (const rule of RULES) {
    const finding = rule(left, right);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

/** The leading statements of both texts, so many that no rule compares more than `MAX_PAIRS` pairs. */
function boundPairs(a: readonly Statement[], b: readonly Statement[]): [readonly Statement[], readonly Statement[]] {
  if (a.length * b.length <= MAX_PAIRS) return [a, b];
  const leading = (own: readonly Statement[], others: number) =>
    own.slice(0, Math.floor(Math.max(Math.sqrt(MAX_PAIRS), MAX_PAIRS / others)));
  return [leading(a, b.length), leading(b, a.length)];
}

/** Whether there is a moment at which both are held to be true. */
export function meetInTime(a: Claim, b: Claim): boolean {
  const [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return (a.validFrom ?? from) < (b.validTo ?? to) && (b.validFrom ?? from) < (a.validTo ?? to);
}
