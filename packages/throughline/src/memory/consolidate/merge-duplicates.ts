import { omitUndefined } from "../../internal/json.ts";
import { sortYielding, yieldToEventLoop } from "../../internal/yield-to-event-loop.ts";
import { readWords } from "../../language/words.ts";
import type { Memory, MemorySource, MemoryUsage } from "../../ports/memory.ts";
import { mergeFact } from "../facts/compare-facts.ts";
import { normalizeKey } from "../facts/slots.ts";
import { comparisonKey, type FactIndex, MERGE_THRESHOLD } from "./fact-index.ts";
import { haveSameMeaning, haveSameWords, readFactWords } from "./same-fact.ts";

/** A vector that need not be normalized. */
export type FactVector = Float32Array | Int8Array;

interface MergeOptions {
  readonly now: number;
  /** Vectors of facts by id. Without them, only facts with the same words are merged. */
  readonly vectors?: ReadonlyMap<string, FactVector>;
  /** True for memories that must not be merged. */
  readonly isFixed: (id: string) => boolean;
  /** True if a contradiction shows that two memories are different. */
  readonly areApart: (a: string, b: string) => boolean;
}

/**
 * Merges equivalent facts of one index. The most detailed fact stays; the others are archived with its id in
 * `supersededBy`.
 *
 * @returns The changed memories by id.
 */
export async function mergeDuplicates(
  index: FactIndex,
  memories: ReadonlyMap<string, Memory>,
  options: MergeOptions,
): Promise<ReadonlyMap<string, Memory>> {
  const changed = new Map<string, Memory>();
  const kept: Kept = { at: new Set(), byWords: new Map() };
  for (const { at, memory } of await inOrder(index, memories, options)) {
    const survivor = memories.get(findSurvivor({ index, memories, options, kept }, at, memory) ?? "");
    if (survivor === undefined) keep(kept, at, lookupKeys(index.fingerprint(at), memory));
    else mergeInto(changed, survivor, memory, options.now);
    const pause = yieldToEventLoop();
    if (pause !== undefined) await pause;
  }
  return changed;
}

/** Facts that are not merged into another one, so far. */
interface Kept {
  readonly at: Set<number>;
  /** Positions by fingerprint, and by fingerprint and key. */
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

/**
 * Facts that may be merged: most terms first, then those with a key. Merging changes neither, so the order is stable.
 */
function inOrder(
  index: FactIndex,
  memories: ReadonlyMap<string, Memory>,
  { now, isFixed }: MergeOptions,
): Promise<readonly Candidate[]> {
  const facts = index.ids.flatMap((id, at): readonly Candidate[] => {
    const memory = memories.get(id);
    return memory === undefined || !isMergeable(memory, now) || isFixed(id) ? [] : [{ at, memory }];
  });
  return sortYielding(
    facts,
    (a, b) =>
      index.terms(b.at).length - index.terms(a.at).length ||
      Number(b.memory.key !== undefined) - Number(a.memory.key !== undefined) ||
      (a.memory.id < b.memory.id ? -1 : 1),
  );
}

/** True for memories that are valid now without an end. Others differ in validity, even if their texts are equal. */
function isMergeable({ archivedAt, validTo, validFrom, supersededBy }: Memory, now: number): boolean {
  return archivedAt === undefined && validTo === undefined && supersededBy === undefined && validFrom <= now;
}

function keep({ at: positions, byWords }: Kept, at: number, keys: readonly string[]): void {
  positions.add(at);
  for (const key of keys) {
    const known = byWords.get(key);
    if (known === undefined) byWords.set(key, [at]);
    else known.push(at);
  }
}

/**
 * Keys under which facts with the same words are found. A fact with a key looks up facts with the same key only; a fact
 * without one looks up all of them.
 */
function lookupKeys(fingerprint: string, { key }: Memory): readonly string[] {
  return key === undefined ? [fingerprint] : [`${fingerprint}\n${normalizeKey(key)}`, fingerprint];
}

/** Id of a kept fact that is equivalent to this one. */
function findSurvivor(search: Search, at: number, memory: Memory): string | undefined {
  const { index, memories, options, kept } = search;
  const canAbsorb = (other: number, isSame: (a: Memory, b: Memory) => boolean): boolean => {
    const survivor = memories.get(index.ids[other] ?? "");
    return survivor !== undefined && !options.areApart(survivor.id, memory.id) && isSame(survivor, memory);
  };
  const [key = ""] = lookupKeys(index.fingerprint(at), memory);
  const sameWords = kept.byWords.get(key) ?? [];
  const found =
    sameWords.find((other) => canAbsorb(other, haveSameWords)) ??
    findSimilar(search, at).find((other) => canAbsorb(other, haveSameMeaning));
  return found === undefined ? undefined : index.ids[found];
}

/** Positions of kept facts above the similarity threshold, most similar first. */
function findSimilar({ index, options, kept }: Search, at: number): readonly number[] {
  const vector = options.vectors?.get(index.ids[at] ?? "");
  if (vector === undefined) return [];
  const similar = index.near(at).flatMap(({ at: other }) => {
    const likeness = kept.at.has(other) ? cosine(vector, options.vectors?.get(index.ids[other] ?? "")) : 0;
    return likeness >= MERGE_THRESHOLD ? [{ other, likeness }] : [];
  });
  return similar.sort((a, b) => b.likeness - a.likeness || a.other - b.other).map(({ other }) => other);
}

/** Cosine similarity of vectors that need not be normalized. 0 if their dimensions differ. */
function cosine(a: FactVector, b: FactVector | undefined): number {
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

/**
 * Merges patterns and workflows with identical texts. Episodes are not merged, because the same thing can happen twice.
 */
export function mergeIdentical(
  memories: ReadonlyMap<string, Memory>,
  { now, isFixed, areApart }: MergeOptions,
): ReadonlyMap<string, Memory> {
  const changed = new Map<string, Memory>();
  const first = new Map<string, Memory>();
  for (const memory of memories.values()) {
    const { id, kind, levels } = memory;
    if ((kind !== "pattern" && kind !== "workflow") || !isMergeable(memory, now) || isFixed(id)) continue;
    const key = JSON.stringify([comparisonKey(memory), kind, levels.full.replace(/\s+/g, " ").trim()]);
    const twin = first.get(key);
    if (twin === undefined) first.set(key, memory);
    else if (!areApart(twin.id, id)) mergeInto(changed, twin, memory, now);
  }
  return changed;
}

const MAX_ALIASES = 24;
const MAX_SOURCES = 20;

/** Merges one memory into another: adds its data to the survivor and archives it with `supersededBy` set. */
export function mergeInto(changed: Map<string, Memory>, survivor: Memory, merged: Memory, now: number): void {
  changed.set(survivor.id, absorbFact(changed.get(survivor.id) ?? survivor, merged));
  changed.set(merged.id, { ...merged, archivedAt: now, supersededBy: survivor.id, pinned: false });
}

/**
 * The survivor with the data of an equivalent fact: the sum of mentions, the higher confidence plus the boost of a
 * repetition, the earlier dates, and the other fact's words as aliases, so that recall still finds it by them.
 */
function absorbFact(survivor: Memory, merged: Memory): Memory {
  const base = { ...survivor, confidence: Math.max(survivor.confidence, merged.confidence) };
  const { messageId } = merged.source;
  const repeated = mergeFact(base, {
    at: merged.lastSeenAt,
    ...(messageId !== undefined && { source: merged.source }),
  });
  // mergeFact returns the same object if both facts come from one message, which then counts once.
  const mentions =
    repeated === base ? Math.max(survivor.mentions, merged.mentions) : survivor.mentions + merged.mentions;
  return omitUndefined({
    ...repeated,
    mentions,
    pinned: survivor.pinned || merged.pinned,
    byHand: survivor.byHand || merged.byHand,
    createdAt: Math.min(survivor.createdAt, merged.createdAt),
    validFrom: Math.min(survivor.validFrom, merged.validFrom),
    supersedes: survivor.supersedes ?? merged.supersedes,
    aliases: unique([...survivor.aliases, ...merged.aliases, ...otherWords(survivor, merged)]).slice(0, MAX_ALIASES),
    links: unique([...survivor.links, ...merged.links]).filter((id) => id !== survivor.id && id !== merged.id),
    artifacts: uniqueBy([...survivor.artifacts, ...merged.artifacts], ({ type, ref }) => `${type} ${ref}`),
    earlierSources: joinSources(repeated, merged),
    usage: addUsage(survivor.usage, merged.usage),
  });
}

/** Words of the merged fact that the survivor's text does not have. */
function otherWords(survivor: Memory, merged: Memory): readonly string[] {
  const own = new Set(readWords(survivor.levels.full));
  const words = readFactWords(merged.levels.full).map(({ text }) => text);
  return words.filter((word) => !readWords(word).every((part) => own.has(part)));
}

function joinSources({ source, earlierSources = [] }: Memory, merged: Memory): readonly MemorySource[] | undefined {
  const joined = uniqueBy([source, ...earlierSources, ...(merged.earlierSources ?? [])], placeOfSource);
  const earlier = joined.slice(1, 1 + MAX_SOURCES);
  return earlier.length === 0 ? undefined : earlier;
}

function placeOfSource({ sessionId = "", messageId = "" }: MemorySource): string {
  return `${sessionId}\n${messageId}`;
}

function addUsage(a: MemoryUsage, b: MemoryUsage): MemoryUsage {
  const last = Math.max(a.lastAccessedAt ?? 0, b.lastAccessedAt ?? 0);
  return omitUndefined({
    retrieved: a.retrieved + b.retrieved,
    cited: a.cited + b.cited,
    ignored: a.ignored + b.ignored,
    lastAccessedAt: last === 0 ? undefined : last,
  });
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)];
}

function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
