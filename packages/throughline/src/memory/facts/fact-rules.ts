import { DAY } from "../../internal/time.ts";
import type { FactCategory, Memory } from "../../ports/memory.ts";

/** Baseline confidence of extracted facts, and of facts saved by hand. */
export const EXTRACTED_CONFIDENCE = 0.75;
const BY_HAND_CONFIDENCE = 0.6;

/** Added to the confidence by a repetition. A repeated fact that was saved by hand gains more. */
export const REPETITION_BOOST = 0.15;
export const BY_HAND_BOOST = 0.25;

/** Number of facts above which stale ones are evicted, and the hard cap. */
export const PRUNE_THRESHOLD = 120;
export const HARD_CAP = 150;
export const MAX_PINNED = 10;

/** Milliseconds after the last mention at which a fact expires. */
export const CATEGORY_EXPIRY: Readonly<Record<FactCategory, number>> = {
  project: 60 * DAY,
  preference: 180 * DAY,
  identity: 365 * DAY,
};

export const CATEGORY_WEIGHTS: Readonly<Record<FactCategory, number>> = {
  project: 0.8,
  preference: 0.3,
  identity: 0.5,
};

/** A fact with a category. Limits on number, age and pins apply to it. */
export type ChatFact = Memory & { readonly category: FactCategory };

/** True for a current chat fact: it has a category, has no end, and is not archived. */
export function isCurrentFact(memory: Memory): memory is ChatFact {
  return memory.kind === "fact" && memory.category !== undefined && hasNoEnd(memory);
}

/** True if a memory has no end and is not archived. */
export function hasNoEnd({ validTo, archivedAt }: Memory): boolean {
  return validTo === undefined && archivedAt === undefined;
}

/** Confidence of a new fact, or of one that replaces another. */
export function baselineConfidence(byHand: boolean): number {
  return byHand ? BY_HAND_CONFIDENCE : EXTRACTED_CONFIDENCE;
}
