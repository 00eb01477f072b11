import { omitUndefined } from "../../internal/json.ts";
import type { Memory, MemoryLevels, MemoryScope } from "../../ports/memory.ts";

/** Options of `mergeMemories`. */
export interface MergeOptions {
  readonly mergedId: string;
  readonly now: number;
  readonly mergedText?: string;
  readonly levelsOf?: (text: string) => MemoryLevels;
}

/** From the narrowest to the widest visibility. */
const SCOPES: readonly MemoryScope[] = ["user-private", "project-shared", "system"];

/** Merges two memories into one with the narrower visibility of the two. */
export function mergeMemories(a: Memory, b: Memory, { mergedId, now, mergedText, levelsOf }: MergeOptions): Memory {
  const [older, newer] = a.lastSeenAt <= b.lastSeenAt ? [a, b] : [b, a];
  const text = mergedText ?? joined(older.levels.full, newer.levels.full);
  const narrow = SCOPES.indexOf(older.scope) < SCOPES.indexOf(newer.scope) ? older : newer;
  return omitUndefined({
    id: mergedId,
    kind: newer.kind,
    levels: levelsOf?.(text) ?? { full: text, summary: text, compressed: text, index: newer.levels.index },
    key: older.key === newer.key ? newer.key : undefined,
    subject: older.subject === newer.subject ? newer.subject : undefined,
    aliases: unique([...older.aliases, ...newer.aliases]),
    category: newer.category,
    confidence: Math.max(a.confidence, b.confidence),
    mentions: a.mentions + b.mentions,
    pinned: a.pinned || b.pinned,
    byHand: a.byHand || b.byHand,
    owner: narrow.owner,
    projectId: narrow.projectId,
    scope: narrow.scope,
    createdAt: now,
    lastSeenAt: newer.lastSeenAt,
    validFrom: now,
    supersedes: newer.id,
    usage: { retrieved: 0, cited: 0, ignored: 0 },
    source: newer.source,
    artifacts: uniqueBy([...older.artifacts, ...newer.artifacts], ({ type, ref }) => `${type} ${ref}`),
    links: unique([...older.links, ...newer.links]).filter((id) => id !== a.id && id !== b.id),
  });
}

function joined(first: string, second: string): string {
  const start = first.trim();
  return `${/[.!?]$/.test(start) ? start : `${start}.`} ${second.trim()}`;
}

function unique(items: readonly string[]): readonly string[] {
  return [...new Set(items)];
}

function uniqueBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
