import { relateFacts } from "../facts/compare-facts.ts";
import type { Claim, Finding } from "./claim.ts";
import { type Comparison, compareStatements } from "./compare-statements.ts";

/**
 * Compares a newer claim with an older one by rules: subject, key and value first, then by the texts. A claim about
 * another subject, or valid at another time, is unrelated.
 *
 * @param older The claim that was made first.
 * @param newer The claim that was made later.
 * @returns The relation of the newer claim to the older one, and the reason.
 *
 * @example
 * compareClaims({ text: "I live in Porto." }, { text: "I moved to Rome." }).relation; // "supersedes"
 */
export function compareClaims(older: Claim, newer: Claim): Comparison & { readonly isKeyed: boolean } {
  const facts = meetInTime(older, newer) ? relateFacts(newer, older) : undefined;
  if (facts === undefined) return { relation: "unrelated", reason: "", isKeyed: true };
  if (facts.relation !== "unrelated") return facts;
  return { ...compareStatements(older.text, newer.text), isKeyed: false };
}

/**
 * Finds a reason by rules why two claims cannot both be true now. The rules find few conflicts, and are right in most
 * cases: two values of a single-valued key, an explicit change, another number for the same thing, a denial in the same
 * words, and conflicting reports of two people.
 *
 * @param older The claim that was made first.
 * @param newer The claim that was made later.
 * @returns The relation and the reason; `undefined` if the rules find no conflict.
 *
 * @example
 * findContradiction({ text: "The shop runs on Node 18." }, { text: "The shop runs on Node 22 now." })?.relation; // "supersedes"
 */
export function findContradiction(older: Claim, newer: Claim): Finding | undefined {
  const { relation, reason } = compareClaims(older, newer);
  return relation === "supersedes" || relation === "contradicts" ? { relation, reason } : undefined;
}

/** True if the validity intervals overlap. */
function meetInTime(a: Claim, b: Claim): boolean {
  const [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return (a.validFrom ?? from) < (b.validTo ?? to) && (b.validFrom ?? from) < (a.validTo ?? to);
}
