import type { Memory } from "../../ports/memory.ts";
import { wasCurrent } from "../consolidate/current.ts";
import { findEntities } from "./find-entities.ts";

/** What more memories than this name binds none of them. */
const MAX_SHARING = 32;
/** The connections of a memory that are considered, the strongest first. */
const STRONGEST = 5;
/** What a connection has to weigh; a name that only two of many memories have weighs almost 1. */
const MIN_WEIGHT = 0.3;

/** Two memories that name the same, and how much that binds them. */
export interface WeighedPair {
  readonly a: Memory;
  readonly b: Memory;
  readonly weight: number;
}

/**
 * The strongest connections between memories, by the entities that both name. An entity weighs the more the fewer name
 * it; one that all of them name weighs nothing. Each memory looks at a bounded number of others.
 *
 * @param memories those that may be connected
 * @param all those that are counted beside them
 */
export function* weighPairs(
  memories: readonly Memory[],
  all: readonly Memory[],
  now: number,
): Generator<undefined, readonly WeighedPair[]> {
  const entities = new Map<string, ReturnType<typeof findEntities>>();
  for (const memory of all) {
    if (wasCurrent(memory, now)) entities.set(memory.id, findEntities(memory));
    yield;
  }
  const counts = countAll([...entities.values()].flatMap((named) => [...named.keys()]));
  const rarity = (entity: string) => Math.log(entities.size / (counts.get(entity) ?? 1)) / Math.log(entities.size);
  const isTelling = (entity: string) => (counts.get(entity) ?? 0) <= MAX_SHARING;
  const members = placesOf(memories.map(({ id }) => [...(entities.get(id)?.keys() ?? [])].filter(isTelling)));
  yield;
  const pairs = new Map<number, WeighedPair>();
  for (const [at, memory] of memories.entries()) {
    const named = [...(entities.get(memory.id) ?? [])].map(([entity, bond]) => ({
      members: members.get(entity) ?? [],
      weight: bond * rarity(entity),
    }));
    for (const [other, weight] of strongest(at, named, memories)) {
      const [first, second] = at < other ? [at, other] : [other, at];
      const [a, b] = [memories[first], memories[second]];
      if (a !== undefined && b !== undefined) pairs.set(first * memories.length + second, { a, b, weight });
    }
    yield;
  }
  return [...pairs.values()].sort((x, y) => y.weight - x.weight || compare(x.a.id, y.a.id) || compare(x.b.id, y.b.id));
}

function countAll(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** By name, the places of the lists that it is on. */
function placesOf(lists: readonly (readonly string[])[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  for (const [at, names] of lists.entries()) {
    for (const name of names) {
      const known = places.get(name);
      if (known === undefined) places.set(name, [at]);
      else known.push(at);
    }
  }
  return places;
}

interface NamedEntity {
  readonly members: readonly number[];
  readonly weight: number;
}

function strongest(
  at: number,
  named: readonly NamedEntity[],
  memories: readonly Memory[],
): readonly [number, number][] {
  const weights = new Map<number, number>();
  for (const { members, weight } of named) {
    for (const other of members) if (other !== at) weights.set(other, (weights.get(other) ?? 0) + weight);
  }
  return [...weights]
    .filter(([other, weight]) => weight >= MIN_WEIGHT && mayMeet(memories[at], memories[other]))
    .sort((x, y) => y[1] - x[1] || x[0] - y[0])
    .slice(0, STRONGEST);
}

/** What belongs to one project is not connected with what belongs to another. */
function mayMeet(a: Memory | undefined, b: Memory | undefined): boolean {
  if (a === undefined || b === undefined || a.scope !== b.scope) return false;
  return a.projectId === undefined || b.projectId === undefined || a.projectId === b.projectId;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
