import { omitUndefined } from "../../internal/json.ts";
import { readWords } from "../../language/words.ts";
import type { Memory, MemorySource, MemoryUsage } from "../../ports/memory.ts";
import { mergeFact } from "../facts/merge-fact.ts";
import { readFactWords } from "./fact-words.ts";

const MAX_ALIASES = 24;
const MAX_SOURCES = 20;

/** Notes that one memory goes into another: that takes all of it, and it is put away with the other's name in it. */
export function mergeInto(changed: Map<string, Memory>, survivor: Memory, merged: Memory, now: number): void {
  changed.set(survivor.id, absorbFact(changed.get(survivor.id) ?? survivor, merged));
  changed.set(merged.id, { ...merged, archivedAt: now, supersededBy: survivor.id, pinned: false });
}

/**
 * A fact with another that says the same merged into it: said as often as both, as sure as the surer and then as much
 * surer as a repetition makes it, since the earlier of the two, and still found by the words of the other.
 */
function absorbFact(survivor: Memory, merged: Memory): Memory {
  const surer = { ...survivor, confidence: Math.max(survivor.confidence, merged.confidence) };
  const { messageId } = merged.source;
  const told = mergeFact(surer, {
    at: merged.lastSeenAt,
    ...(messageId !== undefined && { source: merged.source }),
  });
  // One message that was read twice said it once.
  const mentions = told === surer ? Math.max(survivor.mentions, merged.mentions) : survivor.mentions + merged.mentions;
  return omitUndefined({
    ...told,
    mentions,
    pinned: survivor.pinned || merged.pinned,
    byHand: survivor.byHand || merged.byHand,
    createdAt: Math.min(survivor.createdAt, merged.createdAt),
    validFrom: Math.min(survivor.validFrom, merged.validFrom),
    supersedes: survivor.supersedes ?? merged.supersedes,
    aliases: unique([...survivor.aliases, ...merged.aliases, ...otherWords(survivor, merged)]).slice(0, MAX_ALIASES),
    links: unique([...survivor.links, ...merged.links]).filter((id) => id !== survivor.id && id !== merged.id),
    artifacts: uniqueBy([...survivor.artifacts, ...merged.artifacts], ({ type, ref }) => `${type} ${ref}`),
    earlierSources: joinSources(told, merged),
    usage: addUsage(survivor.usage, merged.usage),
  });
}

/** Words by which the merged fact would have been found, and the survivor would not. */
function otherWords(survivor: Memory, merged: Memory): readonly string[] {
  const own = new Set(readWords(survivor.levels.full));
  const said = readFactWords(merged.levels.full).map(({ text }) => text);
  return said.filter((word) => !readWords(word).every((part) => own.has(part)));
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
