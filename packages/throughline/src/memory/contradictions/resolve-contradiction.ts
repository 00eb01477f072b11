import { AT_LEAST_ZERO, checkOptions, FUNCTION, type OptionRules, oneOf, TEXT } from "../../errors/check-options.ts";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Memory, MemoryLevels, MemoryScope, Resolution } from "../../ports/memory.ts";

/** Options of `resolveContradiction`. */
export interface ResolveOptions {
  readonly resolution: Resolution;
  /** Note to keep with the contradiction. */
  readonly note?: string;
  /** Current time, in milliseconds since 1970. */
  readonly now: number;
  /** Id of the merged memory. Required to merge. */
  readonly mergedId?: string;
  /** Text of the merged memory. Default: both texts, the older first. */
  readonly mergedText?: string;
  /** Builds the levels of the merged memory, for example with `buildLevels`. Default: the same text at each level. */
  readonly levelsOf?: (text: string) => MemoryLevels;
}

/** Changes that resolve a contradiction. Nothing is deleted. */
export interface ResolvedContradiction {
  readonly contradiction: Contradiction;
  /** Changed memories. */
  readonly changed: readonly Memory[];
  /** New memories. */
  readonly added: readonly Memory[];
}

const RESOLUTIONS: readonly string[] = ["a_wins", "b_wins", "both_valid", "merged"] satisfies Resolution[];
const RESOLVE_RULES: OptionRules<ResolveOptions> = {
  resolution: /* @__PURE__ */ oneOf(...RESOLUTIONS),
  note: TEXT,
  now: AT_LEAST_ZERO,
  mergedId: TEXT,
  mergedText: TEXT,
  levelsOf: FUNCTION,
};

/**
 * Resolves a contradiction: one memory wins and the other ends, both stay, or a merged memory replaces both. Nothing is
 * stored; `tl.memory.resolve` also stores the result.
 *
 * @param contradiction The contradiction. It must be open.
 * @param memories Memories that include both sides. Others are ignored.
 * @param options The resolution and the time at which memories end; for a merge also the id of the merged memory.
 * @returns The resolved contradiction, and the memories to write.
 * @throws InvalidOptionError if the contradiction is not open, the resolution is unknown, one of the two memories is
 *   missing, or a merge has no `mergedId`.
 *
 * @example
 * resolveContradiction(open, [old, current], { resolution: "b_wins", note: "Migration completed", now: Date.now() });
 */
export function resolveContradiction(
  contradiction: Contradiction,
  memories: readonly Memory[],
  options: ResolveOptions,
): ResolvedContradiction {
  checkOptions("resolveContradiction", options, RESOLVE_RULES);
  const { resolution, note, now } = options;
  if (contradiction.status !== "open")
    throw new InvalidOptionError("contradiction", contradiction.id, "the id of an open contradiction");
  if (!RESOLUTIONS.includes(resolution)) throw new InvalidOptionError("resolution", resolution, RESOLUTIONS.join(", "));
  const a = findMemory(memories, contradiction.memoryA);
  const b = findMemory(memories, contradiction.memoryB);
  const resolved = omitUndefined({ ...contradiction, status: "resolved" as const, resolvedAt: now, resolution, note });
  if (resolution === "both_valid") return { contradiction: resolved, changed: [], added: [] };
  if (resolution === "merged") return { contradiction: resolved, ...merge(a, b, options) };
  const [winner, loser] = resolution === "a_wins" ? [a, b] : [b, a];
  return { contradiction: resolved, changed: [superseding(winner, loser), endedBy(loser, winner.id, now)], added: [] };
}

function findMemory(memories: readonly Memory[], id: string): Memory {
  const memory = memories.find((candidate) => candidate.id === id);
  if (memory === undefined)
    throw new InvalidOptionError("memories", `without ${id}`, "both memories of the contradiction");
  return memory;
}

/** Ends a memory now. An earlier end stays, and a memory that begins later gets an empty interval. */
function endedBy(memory: Memory, by: string, now: number): Memory {
  const end = Math.max(memory.validFrom, Math.min(memory.validTo ?? now, now));
  return { ...memory, validTo: end, supersededBy: by };
}

/** A memory has one link to a superseded one. An existing link is kept. */
function superseding(winner: Memory, loser: Memory): Memory {
  return winner.supersedes === undefined ? { ...winner, supersedes: loser.id } : winner;
}

function merge(a: Memory, b: Memory, options: ResolveOptions): Pick<ResolvedContradiction, "changed" | "added"> {
  const { mergedId, now } = options;
  if (mergedId === undefined || mergedId === "")
    throw new InvalidOptionError("mergedId", mergedId, "the id of the merged memory");
  const merged = mergeMemories(a, b, { ...options, mergedId });
  return { changed: [endedBy(a, mergedId, now), endedBy(b, mergedId, now)], added: [merged] };
}

/** Options of `mergeMemories`. */
interface MergeOptions {
  readonly mergedId: string;
  readonly now: number;
  readonly mergedText?: string;
  readonly levelsOf?: (text: string) => MemoryLevels;
}

/** From the narrowest to the widest visibility. */
const SCOPES: readonly MemoryScope[] = ["user-private", "project-shared", "system"];

/** Merges two memories into one with the narrower visibility of the two. */
function mergeMemories(a: Memory, b: Memory, { mergedId, now, mergedText, levelsOf }: MergeOptions): Memory {
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
