import { readNames } from "../../language/text-names.ts";
import { findIdentifiers } from "../../ledger/find-identifiers.ts";
import type { Memory } from "../../ports/memory.ts";
import { normalizeKey } from "../facts/slots.ts";
import { isCurrent, wasCurrent } from "./fact-index.ts";

/** Maximum number of links per memory. */
export const MAX_LINKS = 8;
/** Maximum number of `supersededBy` steps to follow from a replaced memory to its current successor. */
const MAX_CHAIN = 8;

export interface LinkPlan {
  /** Memories with changed links. */
  readonly changed: readonly Memory[];
  /** New links, as pairs of ids joined by a line break. */
  readonly added: readonly string[];
}

/**
 * Links memories that name the same people, things, files or artifacts, or come from the same session. Links go both
 * ways, at most eight per memory. Existing links between current memories are kept; a link to a merged or replaced
 * memory moves to its successor. Yields between memories, so that the caller can let other tasks run.
 */
export function* discoverLinks(memories: readonly Memory[], now: number): Generator<undefined, LinkPlan> {
  const current = memories.filter((memory) => isCurrent(memory, now));
  const links = new LinkGraph(current, memories);
  yield;
  links.keepExisting();
  yield;
  const added: string[] = [];
  for (const { a, b } of yield* weighPairs(current, memories, now)) {
    if (links.connect(a.id, b.id)) added.push(`${a.id}\n${b.id}`);
    yield;
  }
  const changed = current.flatMap((memory) => {
    const next = links.of(memory);
    return isSameList(next, memory.links) ? [] : [{ ...memory, links: next }];
  });
  return { changed, added };
}

/** Links of current memories while they are changed. */
class LinkGraph {
  readonly #all: ReadonlyMap<string, Memory>;
  readonly #current: ReadonlyMap<string, Memory>;
  readonly #links = new Map<string, Set<string>>();

  constructor(current: readonly Memory[], all: readonly Memory[]) {
    this.#all = new Map(all.map((memory) => [memory.id, memory]));
    this.#current = new Map(current.map((memory) => [memory.id, memory]));
  }

  /** Adds existing links, mutual ones first, so that no other link takes one of their places. */
  keepExisting(): void {
    const wanted = new Map([...this.#current.values()].map((memory) => [memory.id, this.#currentTargets(memory)]));
    for (const [id, targets] of wanted)
      this.#links.set(id, new Set(targets.filter((target) => !this.#all.has(target))));
    for (const isMutual of [true, false]) {
      for (const [id, targets] of wanted) {
        for (const target of targets) {
          if ((wanted.get(target)?.includes(id) ?? false) === isMutual) this.connect(id, target);
        }
      }
    }
  }

  /** Links two memories. Returns false if they are linked already, or if either has the maximum number of links. */
  connect(a: string, b: string): boolean {
    const [mine, yours] = [this.#links.get(a), this.#links.get(b)];
    if (a === b || mine === undefined || yours === undefined || mine.has(b)) return false;
    if (mine.size >= MAX_LINKS || yours.size >= MAX_LINKS) return false;
    mine.add(b);
    yours.add(a);
    return true;
  }

  /** Links of a memory: existing ones in their order, then new ones. */
  of({ id, links }: Memory): readonly string[] {
    const mine = this.#links.get(id) ?? new Set<string>();
    return [...new Set([...links.filter((link) => mine.has(link)), ...mine])];
  }

  /**
   * Targets of a memory's links, with replaced memories resolved. Unknown ids are kept: they may be in another space.
   */
  #currentTargets({ id, links }: Memory): readonly string[] {
    return [...new Set(links.flatMap((link) => this.#follow(link) ?? []))].filter((link) => link !== id);
  }

  #follow(link: string): string | undefined {
    let memory = this.#all.get(link);
    if (memory === undefined) return link;
    for (let steps = 0; steps < MAX_CHAIN && memory !== undefined; steps += 1) {
      if (this.#current.has(memory.id)) return memory.id;
      memory = this.#all.get(memory.supersededBy ?? "");
    }
    return undefined;
  }
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((item, at) => item === b[at]);
}

/** An entity that more memories have is too common to link them. */
const MAX_MEMORIES_PER_ENTITY = 32;
/** Strongest candidates per memory. */
const MAX_CANDIDATES = 5;
/** Minimum weight of a link. An entity that only two of many memories have weighs almost 1. */
const MIN_WEIGHT = 0.3;

/** Two memories with common entities, and the total weight of those. */
interface WeighedPair {
  readonly a: Memory;
  readonly b: Memory;
  readonly weight: number;
}

/**
 * Finds the pairs of memories with the highest weight of common entities, strongest first. Rare entities weigh more; an
 * entity that all memories have weighs nothing. The number of pairs is linear in the number of memories.
 *
 * @param memories Memories that can be linked.
 * @param all Memories that determine how rare an entity is, including `memories`.
 * @param now Time of the consolidation, in milliseconds since 1970.
 */
function* weighPairs(
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
  const isSpecific = (entity: string) => (counts.get(entity) ?? 0) <= MAX_MEMORIES_PER_ENTITY;
  const members = invert(memories.map(({ id }) => [...(entities.get(id)?.keys() ?? [])].filter(isSpecific)));
  yield;
  const pairs = new Map<number, WeighedPair>();
  for (const [at, memory] of memories.entries()) {
    const named = [...(entities.get(memory.id) ?? [])].map(([entity, entityWeight]) => ({
      members: members.get(entity) ?? [],
      weight: entityWeight * rarity(entity),
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

/** Inverted index: name to the positions of the lists that contain it. */
function invert(lists: readonly (readonly string[])[]): ReadonlyMap<string, readonly number[]> {
  const positions = new Map<string, number[]>();
  for (const [at, names] of lists.entries()) {
    for (const name of names) {
      const known = positions.get(name);
      if (known === undefined) positions.set(name, [at]);
      else known.push(at);
    }
  }
  return positions;
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
    .filter(([other, weight]) => weight >= MIN_WEIGHT && canLink(memories[at], memories[other]))
    .sort((x, y) => y[1] - x[1] || x[0] - y[0])
    .slice(0, MAX_CANDIDATES);
}

/** True for memories of the same scope that do not belong to different projects. */
function canLink(a: Memory | undefined, b: Memory | undefined): boolean {
  if (a === undefined || b === undefined || a.scope !== b.scope) return false;
  return a.projectId === undefined || b.projectId === undefined || a.projectId === b.projectId;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Characters of a memory that are searched for entities. */
const MAX_TEXT_LENGTH = 4_000;
const MAX_ENTITIES = 40;
/** Weight of a shared session or key. A shared name is stronger evidence of a relation. */
const WEAK_WEIGHT = 0.5;

/**
 * Finds the entities of a memory with their weights: names of people and things, files and other identifiers,
 * artifacts, the subject, the key and the session.
 */
export function findEntities(memory: Memory): ReadonlyMap<string, number> {
  const { levels, artifacts, key, value, subject, source } = memory;
  const text = `${levels.full.slice(0, MAX_TEXT_LENGTH)}\n${value ?? ""}`;
  const entities = new Map<string, number>();
  for (const { type, ref } of artifacts) entities.set(type === "file" ? refName(ref) : `${type} ${refName(ref)}`, 1);
  for (const name of findIdentifiers(text).keys()) entities.set(refName(name), 1);
  for (const name of readNames(text, { tools: true })) if (name.length > 1) entities.set(name, 1);
  if (subject !== undefined) entities.set(subject.trim().toLowerCase(), 1);
  if (key !== undefined) entities.set(`key ${normalizeKey(key)}`, WEAK_WEIGHT);
  if (source.sessionId !== undefined) entities.set(`session ${source.sessionId}`, WEAK_WEIGHT);
  return entities.size <= MAX_ENTITIES ? entities : new Map([...entities].slice(0, MAX_ENTITIES));
}

/** Normalized form of a reference: `./src/a.ts` and `src/a.ts` are the same file. */
function refName(ref: string): string {
  return ref.trim().replace(/^\.\//, "").toLowerCase();
}
