/** BM25 parameters (saturation of repeated words, length normalization) of documents and of sessions. */
const K1 = 0.8;
const B = 0.35;
const SESSION_K1 = 1.2;
const SESSION_B = 0.75;
/**
 * Number of assumed texts without the word, besides the stored ones, because a small store is weak evidence for rarity.
 */
const ASSUMED = 20;
/** Weight of an ordinary word relative to a specific one that is equally rare in the store. */
const ORDINARY_WEIGHT = 0.5;

/** Rarity of a word that `having` of `all` texts contain. */
export function rarity(having: number, all: number, specificity: number): number {
  const factor = ORDINARY_WEIGHT + (1 - ORDINARY_WEIGHT) * specificity;
  return factor * Math.log(1 + (Math.max(0, all + ASSUMED - having) + 0.5) / (having + 0.5));
}

/** The count of a word, lower in a document longer than usual. */
export function normalizedCount(count: number, length: number, usual: number): number {
  return count / (1 - B + (B * length) / usual);
}

/** Largest value of {@link saturated}. */
export const MAX_SATURATED: number = K1 + 1;

export function saturated(count: number): number {
  return (count * (K1 + 1)) / (count + K1);
}

export function saturatedInSession(count: number, length: number, usual: number): number {
  return (count * (SESSION_K1 + 1)) / (count + SESSION_K1 * (1 - SESSION_B + (SESSION_B * length) / usual));
}
