import { yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import type { Memory } from "../../ports/memory.ts";
import { normalizeKey } from "../facts/slot-keys.ts";
import { mergeInto } from "./absorb-fact.ts";
import { MERGE_THRESHOLD } from "./consolidation-rules.ts";
import type { FactIndex } from "./fact-index.ts";
import { haveSameMeaning, haveSameWords } from "./same-fact.ts";

export interface MergeOptions {
  readonly now: number;
  /** The vectors of facts. Without them only those are merged that have the same words. */
  readonly vectors?: ReadonlyMap<string, Float32Array>;
  /** Memories that stay as they are. */
  readonly isFixed: (id: string) => boolean;
  /** Whether two memories are known to be two. */
  readonly areApart: (a: string, b: string) => boolean;
}

/**
 * Merges facts of one place that say the same. The one that says most stays, and the others are put away with its name
 * in them. Returned are all memories that change.
 */
export async function mergeDuplicates(
  index: FactIndex,
  memories: ReadonlyMap<string, Memory>,
  options: MergeOptions,
): Promise<ReadonlyMap<string, Memory>> {
  const changed = new Map<string, Memory>();
  const kept: Kept = { at: new Set(), byWords: new Map() };
  for (const { at, memory } of inOrder(index, memories, options)) {
    const survivor = memories.get(findSurvivor({ index, memories, options, kept }, at, memory) ?? "");
    if (survivor === undefined) keep(kept, at, namesOf(index.fingerprint(at), memory));
    else mergeInto(changed, survivor, memory, options.now);
    await yieldToEventLoop();
  }
  return changed;
}

/** Facts that stay, so far. */
interface Kept {
  readonly at: Set<number>;
  /** By their words, and by their words and their key. */
  readonly byWords: Map<string, number[]>;
}

interface Search {
  readonly index: FactIndex;
  readonly memories: ReadonlyMap<string, Memory>;
  readonly options: MergeOptions;
  readonly kept: Kept;
}

interface Candidate {
  readonly at: number;
  readonly memory: Memory;
}

/** The facts that may be merged: what says most first, then what has a key. Merging changes neither. */
function inOrder(
  index: FactIndex,
  memories: ReadonlyMap<string, Memory>,
  { now, isFixed }: MergeOptions,
): readonly Candidate[] {
  const facts = index.ids.flatMap((id, at): readonly Candidate[] => {
    const memory = memories.get(id);
    return memory === undefined || !isMergeable(memory, now) || isFixed(id) ? [] : [{ at, memory }];
  });
  return facts.sort(
    (a, b) =>
      index.terms(b.at).length - index.terms(a.at).length ||
      Number(b.memory.key !== undefined) - Number(a.memory.key !== undefined) ||
      (a.memory.id < b.memory.id ? -1 : 1),
  );
}

/** What has an end, or has not begun, is not the same as what just is. */
export function isMergeable({ archivedAt, validTo, validFrom, supersededBy }: Memory, now: number): boolean {
  return archivedAt === undefined && validTo === undefined && supersededBy === undefined && validFrom <= now;
}

function keep({ at: places, byWords }: Kept, at: number, names: readonly string[]): void {
  places.add(at);
  for (const name of names) {
    const namesakes = byWords.get(name);
    if (namesakes === undefined) byWords.set(name, [at]);
    else namesakes.push(at);
  }
}

/**
 * By what facts with the same words are found. Those that have a key come first and are only merged with their own kind;
 * those without one look at all of them.
 */
function namesOf(fingerprint: string, { key }: Memory): readonly string[] {
  return key === undefined ? [fingerprint] : [`${fingerprint}\n${normalizeKey(key)}`, fingerprint];
}

/** The id of the fact that says the same, among those that stay. */
function findSurvivor(search: Search, at: number, memory: Memory): string | undefined {
  const { index, memories, options, kept } = search;
  const mayTake = (other: number, saysSame: (a: Memory, b: Memory) => boolean): boolean => {
    const survivor = memories.get(index.ids[other] ?? "");
    return survivor !== undefined && !options.areApart(survivor.id, memory.id) && saysSame(survivor, memory);
  };
  const [name = ""] = namesOf(index.fingerprint(at), memory);
  const namesakes = kept.byWords.get(name) ?? [];
  const found =
    namesakes.find((other) => mayTake(other, haveSameWords)) ??
    findSimilar(search, at).find((other) => mayTake(other, haveSameMeaning));
  return found === undefined ? undefined : index.ids[found];
}

/** Facts that stay and are similar enough, the most similar first. */
function findSimilar({ index, options, kept }: Search, at: number): readonly number[] {
  const vector = options.vectors?.get(index.ids[at] ?? "");
  if (vector === undefined) return [];
  const similar = index.near(at).flatMap(({ at: other }) => {
    const likeness = kept.at.has(other) ? cosine(vector, options.vectors?.get(index.ids[other] ?? "")) : 0;
    return likeness >= MERGE_THRESHOLD ? [{ other, likeness }] : [];
  });
  return similar.sort((a, b) => b.likeness - a.likeness || a.other - b.other).map(({ other }) => other);
}

/** Of vectors of any length; 0 where they cannot be compared. */
function cosine(a: Float32Array, b: Float32Array | undefined): number {
  if (b === undefined || a.length !== b.length) return 0;
  let dot = 0;
  let left = 0;
  let right = 0;
  for (let i = 0; i < a.length; i += 1) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    dot += x * y;
    left += x * x;
    right += y * y;
  }
  return left === 0 || right === 0 ? 0 : dot / Math.sqrt(left * right);
}
