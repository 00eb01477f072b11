import type { Memory } from "../../ports/memory.ts";
import { isSingleValued } from "../facts/slot-keys.ts";
import type { FactIndex, NearFact } from "./fact-index.ts";
import { slotOf } from "./slot-claim.ts";

/** Of the facts about one thing, each is compared with so many that follow it in time. */
const SLOT_WINDOW = 8;
/** Of the facts with similar words, each is compared with so many. */
const MAX_SIMILAR = 8;

/** Two facts that may contradict each other, and how much they have in common. */
export interface FactPair {
  readonly a: string;
  readonly b: string;
  readonly share: number;
}

/** Facts that are similar to one by what they mean, as far as the caller knows. */
export type FindNeighbors = (memory: Memory) => readonly string[];

/**
 * The pairs of facts of one place that are worth comparing: those that say something of the same thing, those with
 * similar words, and those that the caller finds similar. Their number grows with the number of facts, not with its
 * square. Found in steps, between which other tasks may run.
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
  for (const [one, other] of slotPairs(ids, memories)) add(one, other, 1);
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

type Places = readonly (readonly [number, number])[];

/** Facts about one thing of which there is one, each with the next ones in the order in which they came to be true. */
function slotPairs(ids: readonly string[], memories: ReadonlyMap<string, Memory>): Places {
  const facts = ids.flatMap((id, at) => {
    const memory = memories.get(id);
    return memory === undefined ? [] : [{ at, memory }];
  });
  const slots = Map.groupBy(facts, ({ memory }) => slotOf(memory)?.key ?? "");
  return [...slots].flatMap(([key, said]) => {
    if (key === "" || said.length < 2 || !isSingleValued(key)) return [];
    const inTime = said.sort((a, b) => a.memory.validFrom - b.memory.validFrom || a.at - b.at);
    return inTime.flatMap(({ at }, place) =>
      inTime.slice(place + 1, place + 1 + SLOT_WINDOW).map((later) => [at, later.at] as const),
    );
  });
}

function neighborPairs(
  ids: readonly string[],
  memories: ReadonlyMap<string, Memory>,
  neighbors: FindNeighbors,
): Places {
  const places = new Map(ids.map((id, at) => [id, at]));
  return ids.flatMap((id, at) => {
    const memory = memories.get(id);
    const similar = memory === undefined ? [] : neighbors(memory);
    return similar.flatMap((other) => {
      const place = places.get(other);
      return place === undefined ? [] : [[at, place] as const];
    });
  });
}
