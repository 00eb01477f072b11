import { omitUndefined } from "../../internal/json.ts";
import { memoizeByText } from "../../internal/memoize.ts";
import type { Memory, MemorySource } from "../../ports/memory.ts";
import { BY_HAND_BOOST, baselineConfidence, REPETITION_BOOST } from "./fact-rules.ts";
import { factTerms, valueTerms } from "./normalize-fact.ts";
import { isCorrectable, isSingleValued, normalizeKey, readSlot, type Slot } from "./slots.ts";

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
interface RelatedFacts {
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
interface FactHandles {
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

/** Maximum number of earlier sources kept for a fact. */
const MAX_SOURCES = 20;

/** A repeated mention of a fact. */
export interface Mention {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly source?: MemorySource;
}

/**
 * Adds a mention to a fact: counts it, updates the time of the last mention, and raises the confidence by 0.15 (by 0.25
 * for a fact saved by hand), up to 1. Nothing is stored.
 *
 * @param existing The known fact.
 * @param mention Time of the mention, in milliseconds since 1970, and its source, if known.
 * @returns The changed copy; the fact itself if the message of the source is already one of its sources.
 *
 * @example
 * mergeFact(fact, { at: Date.now() }).confidence; // 0.9 if it was 0.75
 */
export function mergeFact<T extends Memory>(existing: T, { at, source }: Mention): T {
  const places = [existing.source, ...(existing.earlierSources ?? [])];
  if (source !== undefined && places.some((place) => isSamePlace(place, source))) return existing;
  const boost = existing.byHand ? BY_HAND_BOOST : REPETITION_BOOST;
  const isNewer = at >= existing.lastSeenAt;
  return {
    ...existing,
    confidence: Math.min(1, existing.confidence + boost),
    mentions: existing.mentions + 1,
    lastSeenAt: isNewer ? at : existing.lastSeenAt,
    ...(source === undefined ? {} : withSource(places, source, isNewer)),
  };
}

/** The ended fact and the current one. */
export interface Replacement {
  readonly closed: Memory;
  readonly current: Memory;
}

/**
 * Replaces a fact with one that contradicts it. The old fact ends when the new one begins. The new fact starts at the
 * baseline confidence and takes over the pin. Nothing is stored.
 *
 * @param existing The known fact.
 * @param next The fact that contradicts it. If it begins before the known one, the known fact stays current and `next`
 *   ends
 *   when that one begins.
 * @returns The ended fact and the current one.
 *
 * @example
 * const { closed, current } = replaceFact(old, fresh);
 * closed.validTo === current.validFrom; // true
 */
export function replaceFact(existing: Memory, next: Memory): Replacement {
  if (next.validFrom < existing.validFrom) {
    const closed = { ...next, validTo: existing.validFrom, supersededBy: existing.id, pinned: false };
    return { closed, current: omitUndefined({ ...existing, supersedes: existing.supersedes ?? next.id }) };
  }
  const current = {
    ...next,
    confidence: baselineConfidence(next.byHand),
    mentions: 1,
    pinned: existing.pinned || next.pinned,
    supersedes: existing.id,
  };
  return { closed: { ...existing, validTo: next.validFrom, supersededBy: next.id, pinned: false }, current };
}

/** Adds a source to the sources of a fact, newest first. Empty sources (saved by hand) are dropped. */
function withSource(places: readonly MemorySource[], source: MemorySource, isNewer: boolean): Partial<Memory> {
  const [current = source, ...earlier] = isNewer ? [source, ...places] : [places[0] ?? {}, source, ...places.slice(1)];
  const kept = earlier.filter(({ sessionId, messageId }) => (sessionId ?? messageId) !== undefined);
  return { source: current, ...(kept.length > 0 && { earlierSources: kept.slice(0, MAX_SOURCES) }) };
}

function isSamePlace(a: MemorySource, b: MemorySource): boolean {
  return b.messageId !== undefined && a.messageId === b.messageId && a.sessionId === b.sessionId;
}
