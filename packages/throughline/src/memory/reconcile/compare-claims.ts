import { relateFacts } from "../facts/compare-facts.ts";
import { type Comparison, compareStatements } from "./compare-statements.ts";

/** A statement to compare with another one. `claimOf` creates a claim from a memory. */
export interface Claim {
  readonly text: string;
  /** Attribute, if the claim states one attribute of something: `db`. */
  readonly key?: string;
  /** Value of the attribute: `PostgreSQL`. */
  readonly value?: string;
  /** Entity that the claim is about. Default: the user. */
  readonly subject?: string;
  /** Validity interval, in milliseconds since 1970. Default: unbounded. */
  readonly validFrom?: number;
  readonly validTo?: number;
  /** The claim was stated as a change of an earlier state. */
  readonly updatesPrevious?: boolean;
}

/** A conflict between two claims, found by rules. */
export interface Finding {
  /**
   * `supersedes`: the newer claim states a change. `contradicts`: both cannot be true, and the rules cannot decide
   * between them.
   */
  readonly relation: "supersedes" | "contradicts";
  /** Reason as one readable sentence. */
  readonly reason: string;
}

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
  const facts = overlapInTime(older, newer) ? relateFacts(newer, older) : undefined;
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
 * findContradiction({ text: "The shop runs on Node 18." }, { text: "The shop runs on Node 22 now." })?.relation; //
 * "supersedes"
 */
export function findContradiction(older: Claim, newer: Claim): Finding | undefined {
  const { relation, reason } = compareClaims(older, newer);
  return relation === "supersedes" || relation === "contradicts" ? { relation, reason } : undefined;
}

/** True if the validity intervals overlap. */
function overlapInTime(a: Claim, b: Claim): boolean {
  const [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return (a.validFrom ?? from) < (b.validTo ?? to) && (b.validFrom ?? from) < (a.validTo ?? to);
}
