import type { Memory } from "../../ports/memory.ts";
import { isSingleValued } from "../facts/slot-keys.ts";
import type { FactIndex, NearFact } from "./fact-index.ts";
import { slotOf } from "./slot-claim.ts";

/** Facts with the same key: each is compared with this many later ones. */
const SLOT_WINDOW = 8;
/** Facts with similar words: each is compared with this many. */
const MAX_SIMILAR = 8;

/** Two facts that may contradict each other, and the share of terms that both have. */
export interface FactPair {
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
export function* pairsToCompare(
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
