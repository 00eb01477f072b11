import { omitUndefined } from "../../internal/json.ts";
import { memoizeByText } from "../../internal/memoize.ts";
import type { Memory } from "../../ports/memory.ts";
import { factTerms, valueTerms } from "./normalize-fact.ts";
import { readSlot, type Slot } from "./read-slot.ts";
import { isCorrectable, isSingleValued, normalizeKey } from "./slot-keys.ts";

/** The fields of a fact that are compared. */
export interface ComparableFact {
  readonly text: string;
  readonly key?: string;
  readonly value?: string;
  readonly subject?: string;
  /** The fact was stated as a change of an earlier state. */
  readonly updatesPrevious?: boolean;
}

/** Relation of a stated fact to a known one: a repetition, a contradiction, or unrelated. */
export type FactRelation = "same" | "conflict" | "different";

const NEGATIONS = new Set(["not", "nomore"]);
/** Maximum number of extra words in a more exact value that still counts as the same. */
const MORE_EXACT = 3;

/** The fields of a memory that are compared. */
export function toComparable({ levels, key, value, subject }: Memory): ComparableFact {
  return { text: levels.full, ...(key && { key }), ...(value && { value }), ...(subject && { subject }) };
}

/**
 * Compares a stated fact with a known one: a repetition (`same`), a contradiction (`conflict`), or unrelated
 * (`different`). Only plain conflicts are found: two values of a single-valued key, opposite preferences, or a
 * statement and its negation. Facts about different subjects are always different.
 *
 * @param stated The stated fact. Without a key, key and value are read from its text.
 * @param known The fact to compare it with.
 *
 * @example
 * compareFacts({ text: "User is based in London" }, { text: "User is based in Copenhagen" }); // "conflict"
 */
export function compareFacts(stated: ComparableFact, known: ComparableFact): FactRelation {
  const relation = relateFacts(stated, known)?.relation ?? "unrelated";
  if (relation === "unrelated") return "different";
  return relation === "duplicate" ? "same" : "conflict";
}

/** The relation of a stated fact to a known one by keys, values and equal words. */
export interface RelatedFacts {
  /** `supersedes`: another value of a single-valued key. `contradicts`: a statement and its opposite. */
  readonly relation: "duplicate" | "supersedes" | "contradicts" | "unrelated";
  readonly reason: string;
  /** True if keys that the caller gave, or equal words, decided. */
  readonly isKeyed: boolean;
}

/**
 * Compares two facts by keys, values and equal words; `undefined` if they have different subjects or compatible values.
 */
export function relateFacts(stated: ComparableFact, known: ComparableFact): RelatedFacts | undefined {
  if (subjectOf(stated) !== subjectOf(known)) return undefined;
  const relation = compareSlots(stated, known);
  if (relation === "different") return undefined;
  if (relation !== undefined) return { ...relation, isKeyed: hasGivenKey(stated) && hasGivenKey(known) };
  const words = compareWords(stated.text, known.text);
  const reason = words === "contradicts" ? "One denies the other." : "";
  return { relation: words, reason, isKeyed: words === "duplicate" };
}

/**
 * Finds the known fact that a stated fact repeats or, if there is none, the one that it contradicts.
 *
 * @param stated The stated fact.
 * @param known Facts to search. If several contradict the stated fact, the last one is returned.
 * @returns The fact and its relation; `undefined` if no fact is related.
 *
 * @example
 * const known = await tl.memory.list({ kinds: ["fact"] });
 * findRelated({ text: "User lives in Lisbon" }, known)?.relation;
 */
export function findRelated<T extends Memory>(
  stated: ComparableFact,
  known: readonly T[],
): { readonly relation: "same" | "conflict"; readonly fact: T } | undefined {
  const related = known.map((fact) => ({ relation: compareFacts(stated, toComparable(fact)), fact }));
  const found = related.find(({ relation }) => relation === "same") ?? related.findLast(isConflict);
  return found === undefined || found.relation === "different" ? undefined : { ...found, relation: found.relation };
}

/** Lookup keys by which facts that repeat or contradict each other are found. */
export interface FactHandles {
  /** Key under which the fact is stored: subject and attribute. */
  readonly slot?: string;
  /** Keys of facts that it may repeat or contradict. */
  readonly related: readonly string[];
  /** Normalized words of the fact, without negation. */
  readonly fingerprint: string;
}

const positiveTerms = memoizeByText((text): ReadonlySet<string> => withoutNegation(termSet(text)));

const folded = memoizeByText((text) => text.trim().toLowerCase());

/** Lookup keys of a fact. Two facts that {@link compareFacts} finds the same or in conflict share one. */
export function factHandles(fact: ComparableFact): FactHandles {
  const slot = slotOf(fact);
  const named = (key: string): string => `${subjectOf(fact)}|${key}`;
  const terms = [...positiveTerms(fact.text)].sort().join(" ");
  return omitUndefined({
    slot: slot?.value === undefined ? undefined : named(slot.key),
    related: slot === undefined ? [] : [named(slot.key)],
    fingerprint: `${subjectOf(fact)}|${terms === "" ? folded(fact.text) : terms}`,
  });
}

const termSet = memoizeByText((text): ReadonlySet<string> => new Set(factTerms(text)));

function isConflict({ relation }: { readonly relation: FactRelation }): boolean {
  return relation === "conflict";
}

function compareSlots(
  stated: ComparableFact,
  known: ComparableFact,
): Omit<RelatedFacts, "isKeyed"> | "different" | undefined {
  const [a, b] = [slotOf(stated), slotOf(known)];
  if (a === undefined || b === undefined || b.value === undefined) return undefined;
  if (a.former !== undefined) {
    const isEnded = a.key === b.key && isSameValue(a.former, b.value);
    return isEnded ? { relation: "supersedes", reason: `${a.key} is no longer ${a.former}.` } : undefined;
  }
  if (a.value === undefined) return undefined;
  const reason = `${a.key}: one says ${b.value}, the other ${a.value}.`;
  if (a.key !== b.key) return undefined;
  if (isSameValue(a.value, b.value)) return { relation: "duplicate", reason: "" };
  const isCorrected = stated.updatesPrevious === true && isCorrectable(a.key);
  if (!isSingleValued(a.key) && !isCorrected) return "different";
  // A second tool for the same purpose does not replace the first one.
  return { relation: a.isChoice === true || b.isChoice === true ? "contradicts" : "supersedes", reason };
}

function slotOf({ key, value, text }: ComparableFact): Slot | undefined {
  const read = readSlot(text);
  if (key === undefined || read?.former !== undefined || read?.key === normalizeKey(key)) return read;
  return value === undefined ? undefined : { key: normalizeKey(key), value };
}

/** True if the key was given, not read from the text. */
export function hasGivenKey({ key, text }: ComparableFact): boolean {
  return key !== undefined && readSlot(text)?.key !== normalizeKey(key);
}

/** True if two values are equal, or one is a slightly more exact form of the other: "Lisbon" and "Lisbon, Portugal". */
function isSameValue(a: string, b: string): boolean {
  const [left, right] = [termSet(a), termSet(b)];
  if (left.size === 0 || right.size === 0) return folded(a) === folded(b);
  if (Math.abs(left.size - right.size) > MORE_EXACT || isNegated(left) !== isNegated(right)) return false;
  return isPartOf(left, right) || isPartOf(right, left);
}

function compareWords(stated: string, known: string): RelatedFacts["relation"] {
  if (folded(stated) === folded(known)) return "duplicate";
  const [left, right] = [positiveTerms(stated), positiveTerms(known)];
  if (left.size === 0 || left.size !== right.size) return "unrelated";
  if (isPartOf(left, right))
    return isNegated(termSet(stated)) === isNegated(termSet(known)) ? "duplicate" : "contradicts";
  // "tabs over spaces" and "spaces over tabs": the same words in other roles.
  const isOrdered = [...left].some((term) => term.startsWith("over:"));
  return isOrdered && isPartOf(new Set(valueTerms(stated)), new Set(valueTerms(known))) ? "contradicts" : "unrelated";
}

function isPartOf(part: ReadonlySet<string>, whole: ReadonlySet<string>): boolean {
  for (const term of part) if (!whole.has(term)) return false;
  return true;
}

function withoutNegation(terms: ReadonlySet<string>): Set<string> {
  return new Set([...terms].filter((term) => !NEGATIONS.has(term)));
}

function isNegated(terms: ReadonlySet<string>): boolean {
  for (const negation of NEGATIONS) if (terms.has(negation)) return true;
  return false;
}

/** Default: the user. */
function subjectOf({ subject = "user" }: ComparableFact): string {
  return subject.trim().toLowerCase();
}
