import { mapYielding, runStepsYielding, sortYielding } from "../../internal/yield-to-event-loop.ts";
import type { Contradiction, Memory } from "../../ports/memory.ts";
import { isSingleValued } from "../facts/slots.ts";
import { claimOf, findContradiction, openContradiction } from "../reconcile/contradictions.ts";
import { type FactIndex, isCurrent, knownPairs, type NearFact, pairKey, slotOf } from "./fact-index.ts";

/** Facts with the same key: each is compared with this many later ones. */
const SLOT_WINDOW = 8;
/** Facts with similar words: each is compared with this many. */
const MAX_SIMILAR = 8;

/** Two facts that may contradict each other, and the share of terms that both have. */
interface FactPair {
  readonly a: string;
  readonly b: string;
  readonly share: number;
}

/** Returns ids of facts that are semantically similar to a memory. */
export type FindNeighbors = (memory: Memory) => readonly string[];

/**
 * Finds pairs of facts of one index that may contradict each other: facts with the same single-valued key, facts with
 * similar words, and facts that `neighbors` returns. The number of pairs is linear in the number of facts. Yields
 * between facts, so that the caller can let other tasks run.
 */
function* pairsToCompare(
  index: FactIndex,
  memories: ReadonlyMap<string, Memory>,
  neighbors?: FindNeighbors,
): Generator<undefined, readonly FactPair[]> {
  const { ids } = index;
  const pairs = new Map<number, FactPair>();
  const add = (one: number, other: number, share: number) => {
    const [first, second] = one < other ? [one, other] : [other, one];
    const key = first * ids.length + second;
    if (one === other || (pairs.get(key)?.share ?? -1) >= share) return;
    pairs.set(key, { a: ids[first] ?? "", b: ids[second] ?? "", share });
  };
  for (const [one, other] of yield* slotPairs(ids, memories)) add(one, other, 1);
  yield;
  for (const at of ids.keys()) {
    for (const near of strongest(index, at)) add(at, near.at, near.share);
    yield;
  }
  if (neighbors !== undefined) for (const [one, other] of neighborPairs(ids, memories, neighbors)) add(one, other, 0);
  return [...pairs.values()];
}

function strongest(index: FactIndex, at: number): readonly NearFact[] {
  const near = index.near(at);
  if (near.length <= MAX_SIMILAR) return near;
  return [...near].sort((a, b) => b.share - a.share || a.at - b.at).slice(0, MAX_SIMILAR);
}

type PositionPairs = readonly (readonly [number, number])[];

/** Facts with the same single-valued key, each paired with the next ones by `validFrom`. */
function* slotPairs(
  ids: readonly string[],
  memories: ReadonlyMap<string, Memory>,
): Generator<undefined, PositionPairs> {
  const slots = new Map<string, { readonly at: number; readonly memory: Memory }[]>();
  for (const [at, id] of ids.entries()) {
    yield;
    const memory = memories.get(id);
    const key = memory && slotOf(memory)?.key;
    if (memory === undefined || key === undefined || !isSingleValued(key)) continue;
    const values = slots.get(key);
    if (values === undefined) slots.set(key, [{ at, memory }]);
    else values.push({ at, memory });
  }
  return [...slots.values()].flatMap((values) => {
    const inTime = values.sort((a, b) => a.memory.validFrom - b.memory.validFrom || a.at - b.at);
    return inTime.flatMap(({ at }, place) =>
      inTime.slice(place + 1, place + 1 + SLOT_WINDOW).map((later) => [at, later.at] as const),
    );
  });
}

function neighborPairs(
  ids: readonly string[],
  memories: ReadonlyMap<string, Memory>,
  neighbors: FindNeighbors,
): PositionPairs {
  const positions = new Map(ids.map((id, at) => [id, at]));
  return ids.flatMap((id, at) => {
    const memory = memories.get(id);
    const similar = memory === undefined ? [] : neighbors(memory);
    return similar.flatMap((other) => {
      const position = positions.get(other);
      return position === undefined ? [] : [[at, position] as const];
    });
  });
}

/** Maximum number of pairs per run. The most similar ones are compared. */
const MAX_PAIRS = 40_000;

interface ScanOptions {
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
