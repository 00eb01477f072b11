/**
 * What speaks for a hit's being what was asked for, as a logistic model: how the numbers came about and how to fit them
 * again is in `bench/memory/recall` (`npm run bench -- memory precision --fit`). All features mean the same in a store of
 * ten memories and in one of a million.
 */
export interface CutFeatures {
  /** The share of the question's words that the hit has itself or near, rare ones counting more; 0 to 1. */
  readonly cover: number;
  /** How far the cosine lies above what is usual for the question, from 0 to 1; alone in a store, nothing can be said. */
  readonly cosine: number;
  /** Names in the question that nothing in the store has: it is about somebody else. At most 2 count. */
  readonly unknownNames: number;
  /** How little the store can tell of what is usual: 1 for an empty one, towards 0 for a large one. */
  readonly smallness: number;
}

const WEIGHTS: CutFeatures = { cover: 4, cosine: 1.9, unknownNames: -1.4, smallness: 1.4 };
const BIAS = -2.3;
/** How many documents make a store half as telling as a large one. */
const HALF_SIZE = 20;

/** Nothing is given out where even the best hit is less likely to fit. */
export const MIN_BEST = 0.2;
/** What each hit has to have: more in a small store, where nothing else tells. */
const MIN_HIT_LARGE = 0.12;
const MIN_HIT_SMALL = 0.5;
/** How far a hit may lie behind the best: about 2% of its odds. */
export const FURTHEST_BEHIND = 3.8;

/** How likely a hit fits, from 0 to 1. */
export function likelihood(features: CutFeatures): number {
  const names = Object.keys(WEIGHTS) as (keyof CutFeatures)[];
  return 1 / (1 + Math.exp(-names.reduce((sum, name) => sum + WEIGHTS[name] * features[name], BIAS)));
}

export function smallness(size: number): number {
  return HALF_SIZE / (HALF_SIZE + size);
}

/** How likely a hit has to fit in a store of this size. */
export function leastHit(size: number): number {
  return MIN_HIT_LARGE + (MIN_HIT_SMALL - MIN_HIT_LARGE) * smallness(size);
}
