import type { FactCategory, Memory } from "../../ports/memory.ts";

/** What a fact is worth when it is first written down. */
export const EXTRACTED_CONFIDENCE = 0.75;
const BY_HAND_CONFIDENCE = 0.6;

/** What a repetition adds. Told by hand and then said again, a fact is surer still. */
export const REPETITION_BOOST = 0.15;
export const BY_HAND_BOOST = 0.25;

/** Above the first number facts begin to go, above the second they must. */
export const PRUNE_THRESHOLD = 120;
export const HARD_CAP = 150;
export const MAX_PINNED = 10;

export const DAY = 24 * 60 * 60 * 1_000;

/** How long a fact is kept that nobody mentions, in milliseconds. */
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

/** Whether a memory counts as a fact of the chat: it has a category, still holds and is not put away. */
export function isCurrentFact(memory: Memory): memory is ChatFact {
  return memory.kind === "fact" && memory.category !== undefined && hasNoEnd(memory);
}

/** Whether a memory has no end and is not put away. */
export function hasNoEnd({ validTo, archivedAt }: Memory): boolean {
  return validTo === undefined && archivedAt === undefined;
}

/** What a fact is worth when it is first said, or said anew of something else. */
export function baselineConfidence(byHand: boolean): number {
  return byHand ? BY_HAND_CONFIDENCE : EXTRACTED_CONFIDENCE;
}
