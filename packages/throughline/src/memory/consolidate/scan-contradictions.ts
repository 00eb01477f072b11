import { sortYielding } from "../../internal/sort-yielding.ts";
import { mapYielding, runStepsYielding } from "../../internal/yield-to-event-loop.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import { claimOf, openContradiction } from "../contradictions/contradictions.ts";
import { findContradiction } from "../reconcile/compare-claims.ts";
import { isCurrent } from "./current.ts";
import type { FactIndex } from "./fact-index.ts";
import { knownPairs, pairKey } from "./pair-key.ts";
import { type FactPair, type FindNeighbors, pairsToCompare } from "./pairs-to-compare.ts";

/** Maximum number of pairs per run. The most similar ones are compared. */
const MAX_PAIRS = 40_000;

export interface ScanOptions {
  readonly now: number;
  /** Compares only pairs with a fact that was created or mentioned again since this time. */
  readonly since?: number;
  readonly neighbors?: FindNeighbors;
  /** Generates the ids of new contradictions. */
  readonly newId: () => string;
}

/** Finds contradictions between current facts, except for pairs that are known already. */
export async function scanContradictions(
  indexes: readonly FactIndex[],
  memories: ReadonlyMap<string, Memory>,
  known: readonly Contradiction[],
  options: ScanOptions,
): Promise<readonly Contradiction[]> {
  const { now, since = Number.NEGATIVE_INFINITY, neighbors, newId } = options;
  const isKnown = knownPairs(known);
  const isNew = (id: string) => {
    const { createdAt = 0, lastSeenAt = 0 } = memories.get(id) ?? {};
    return Math.max(createdAt, lastSeenAt) >= since;
  };
  const pairs: FactPair[] = [];
  for (const index of indexes) {
    for (const pair of await runStepsYielding(pairsToCompare(index, memories, neighbors))) pairs.push(pair);
  }
  const compared = await mostSimilar(pairs.filter(({ a, b }) => isNew(a) || isNew(b)));
  const opened = await mapYielding(compared, ({ a, b }) => {
    const [first, second] = [memories.get(a), memories.get(b)];
    if (first === undefined || second === undefined || isKnown.has(pairKey(a, b))) return [];
    if (!isCurrent(first, now) || !isCurrent(second, now)) return [];
    const [older, newer] = first.createdAt <= second.createdAt ? [first, second] : [second, first];
    const finding = findContradiction(claimOf(older), claimOf(newer));
    return finding === undefined ? [] : [openContradiction(newId(), older, newer, finding, now)];
  });
  return opened.flat();
}

async function mostSimilar(pairs: readonly FactPair[]): Promise<readonly FactPair[]> {
  if (pairs.length <= MAX_PAIRS) return pairs;
  const sorted = await sortYielding(pairs, (x, y) => y.share - x.share || compare(x.a, y.a) || compare(x.b, y.b));
  return sorted.slice(0, MAX_PAIRS);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
