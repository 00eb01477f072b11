import { omitUndefined } from "../../internal/json.ts";
import { readWords } from "../../language/words.ts";
import type { Memory, MemorySource, MemoryUsage } from "../../ports/memory.ts";
import { mergeFact } from "../facts/merge-fact.ts";
import { readFactWords } from "./same-fact.ts";

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
