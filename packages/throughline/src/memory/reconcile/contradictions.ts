import { AT_LEAST_ZERO, checkOptions, FUNCTION, type OptionRules, oneOf, TEXT } from "../../errors/check-options.ts";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { omitUndefined } from "../../internal/json.ts";
import type { Contradiction, Memory, MemoryLevels, MemoryScope, Resolution } from "../../ports/memory.ts";
import { relateFacts } from "../facts/compare-facts.ts";
import { type Comparison, compareStatements } from "./compare-statements.ts";

/**
 * Creates an open contradiction between two memories. Nothing is stored.
 *
 * @param id Id of the new contradiction.
 * @param a One memory. It becomes `memoryA`.
 * @param b The other memory. It becomes `memoryB`.
 * @param finding The conflict. Only its reason is kept.
 * @param now Time of detection, in milliseconds since 1970.
 *
 * @example
 * const finding = findContradiction(claimOf(old), claimOf(fresh));
 * if (finding) openContradiction("con_1", old, fresh, finding, Date.now()).status; // "open"
 */
export function openContradiction(
  id: string,
  a: Memory,
  b: Memory,
  finding: Pick<Finding, "reason">,
  now: number,
): Contradiction {
  return { id, memoryA: a.id, memoryB: b.id, detectedAt: now, reason: finding.reason, status: "open" };
}

/**
 * Checks whether two memories already have a contradiction, open or resolved. Use it to report each pair only once.
 *
 * @param known Contradictions to search.
 * @param a One memory.
 * @param b The other memory. The order of the two does not matter.
 *
 * @example
 * isKnownPair(await tl.memory.contradictions(), old, fresh); // false if the pair is new
 */
export function isKnownPair(known: readonly Contradiction[], a: Memory, b: Memory): boolean {
  return known.some(
    ({ memoryA, memoryB }) => (memoryA === a.id && memoryB === b.id) || (memoryA === b.id && memoryB === a.id),
  );
}

/**
 * Converts a memory into a claim for `findContradiction` and `judgeRelations`.
 *
 * @param memory The memory. The claim has its full text, key, value, subject and validity interval.
 *
 * @example
 * findContradiction(claimOf(old), claimOf(fresh))?.reason;
 */
export function claimOf({ levels, key, value, subject, validFrom, validTo }: Memory): Claim {
  return omitUndefined({ text: levels.full, key, value, subject, validFrom, validTo });
}

/** A statement to compare with another one. `claimOf` creates a claim from a memory. */
export interface Claim {
  readonly text: string;
  /** Attribute, if the claim states one attribute of something: `db`. */
  readonly key?: string;
  /** Value of the attribute: `PostgreSQL`. */
  readonly value?: string;
  /** Entity that the claim is about. Default: the user. */
  readonly subject?: string;
  /** Validity interval, in milliseconds since 1970. Default: unbounded. */
  readonly validFrom?: number;
  readonly validTo?: number;
  /** The claim was stated as a change of an earlier state. */
  readonly updatesPrevious?: boolean;
}

/** A conflict between two claims, found by rules. */
export interface Finding {
  /**
   * `supersedes`: the newer claim states a change. `contradicts`: both cannot be true, and the rules cannot decide
   * between them.
   */
  readonly relation: "supersedes" | "contradicts";
  /** Reason as one readable sentence. */
  readonly reason: string;
}

/**
 * Compares a newer claim with an older one by rules: subject, key and value first, then by the texts. A claim about
 * another subject, or valid at another time, is unrelated.
 *
 * @param older The claim that was made first.
 * @param newer The claim that was made later.
 * @returns The relation of the newer claim to the older one, and the reason.
 *
 * @example
 * compareClaims({ text: "I live in Porto." }, { text: "I moved to Rome." }).relation; // "supersedes"
 */
export function compareClaims(older: Claim, newer: Claim): Comparison & { readonly isKeyed: boolean } {
  const facts = overlapInTime(older, newer) ? relateFacts(newer, older) : undefined;
  if (facts === undefined) return { relation: "unrelated", reason: "", isKeyed: true };
  if (facts.relation !== "unrelated") return facts;
  return { ...compareStatements(older.text, newer.text), isKeyed: false };
}

/**
 * Finds a reason by rules why two claims cannot both be true now. The rules find few conflicts, and are right in most
 * cases: two values of a single-valued key, an explicit change, another number for the same thing, a denial in the same
 * words, and conflicting reports of two people.
 *
 * @param older The claim that was made first.
 * @param newer The claim that was made later.
 * @returns The relation and the reason; `undefined` if the rules find no conflict.
 *
 * @example
 * findContradiction({ text: "The shop runs on Node 18." }, { text: "The shop runs on Node 22 now." })?.relation; //
 * "supersedes"
 */
export function findContradiction(older: Claim, newer: Claim): Finding | undefined {
  const { relation, reason } = compareClaims(older, newer);
  return relation === "supersedes" || relation === "contradicts" ? { relation, reason } : undefined;
}

/** True if the validity intervals overlap. */
function overlapInTime(a: Claim, b: Claim): boolean {
  const [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY];
  return (a.validFrom ?? from) < (b.validTo ?? to) && (b.validFrom ?? from) < (a.validTo ?? to);
}

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
