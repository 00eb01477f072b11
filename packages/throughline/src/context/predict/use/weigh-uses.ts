import type { Basket, UseIndex } from "./use-index.ts";

/** How uses are looked at: how many, how fast they lose weight, and how many there must be to tell much. */
export interface Sampling {
  readonly most: number;
  /** After so many newer ones, a use weighs a third. */
  readonly decay: number;
  readonly smoothing: number;
}

export interface WeighedUse {
  readonly number: number;
  readonly basket: Basket;
  /** All weights together are less than 1, the more so the fewer uses there are. */
  readonly weight: number;
}

/** Uses with their weights, the newest first: newer ones weigh more, and those of few files more than those of many. */
export function weighUses(
  { baskets }: UseIndex,
  uses: readonly number[],
  { most, decay, smoothing }: Sampling,
  ownBasket?: number,
): readonly WeighedUse[] {
  const looked: { number: number; basket: Basket; weight: number }[] = [];
  let total = smoothing;
  for (let at = uses.length - 1; at >= 0 && looked.length < most; at -= 1) {
    const number = uses[at] ?? -1;
    const basket = baskets[number];
    if (basket === undefined || number === ownBasket) continue;
    const weight = Math.exp(-looked.length / decay) / Math.log(1 + Math.max(2, basket.files.length));
    looked.push({ number, basket, weight });
    total += weight;
  }
  for (const use of looked) use.weight /= total;
  return looked;
}
