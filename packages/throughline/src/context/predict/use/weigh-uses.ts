import type { Basket, UseIndex } from "./use-index.ts";

/** Parameters of a sample of uses: maximum number, decay and smoothing. */
export interface Sampling {
  readonly most: number;
  /** Number of newer uses after which a use weighs a third. */
  readonly decay: number;
  readonly smoothing: number;
}

export interface WeighedUse {
  readonly number: number;
  readonly basket: Basket;
  /** Weight of the use. The sum is below 1, and lower if there are few uses. */
  readonly weight: number;
}

/** Uses with their weights, newest first. Newer uses and uses of few files weigh more. */
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
