import { DAY } from "../../internal/time.ts";
import type { Memory } from "../../ports/memory.ts";
import {
  CATEGORY_EXPIRY,
  CATEGORY_WEIGHTS,
  type ChatFact,
  HARD_CAP,
  isCurrentFact,
  MAX_PINNED,
  PRUNE_THRESHOLD,
} from "./fact-rules.ts";

/** Between the threshold and the cap, only facts older than this share of their category's expiry are evicted. */
const STALE_SHARE = 0.5;

/** Result of `evictFactsIfNeeded`. */
export interface Eviction {
  /** Facts to archive, least valuable first. */
  readonly evicted: readonly ChatFact[];
  /** Number of facts left. */
  readonly remaining: number;
}

/**
 * Calculates how expendable a chat fact is: its age in days, times the weight of its category (project 0.8, identity
 * 0.5, preference 0.3), divided by its confidence. Facts with the highest score are evicted first.
 *
 * @param fact Category, time of the last mention in milliseconds since 1970, and confidence from 0 to 1.
 * @param now Current time, in milliseconds since 1970. A mention in the future counts as age 0.
 *
 * @example
 * const tenDays = 10 * 24 * 60 * 60 * 1_000;
 * calculateEvictionScore({ category: "project", lastSeenAt: 0, confidence: 0.8 }, tenDays); // 10
 */
export function calculateEvictionScore(
  { category, lastSeenAt, confidence }: Pick<ChatFact, "category" | "lastSeenAt" | "confidence">,
  now: number,
): number {
  const ageInDays = Math.max(0, now - lastSeenAt) / DAY;
  return (ageInDays * CATEGORY_WEIGHTS[category]) / Math.max(confidence, Number.EPSILON);
}

/**
 * Selects chat facts to archive if there are too many: none up to 120 facts; between 120 and 150, only those not
 * mentioned for half of their category's expiry; above 150, any, until 150 are left. Facts with the highest eviction
 * score are selected first. The ten pinned facts mentioned last are never selected. Nothing is stored.
 *
 * @param memories Memories of the user. Only current facts with a category and without a `projectId` count.
 * @param now Current time, in milliseconds since 1970.
 * @param spared Ids of facts to keep. Default: none.
 *
 * @example
 * const { evicted } = evictFactsIfNeeded(await tl.memory.list({ limit: 1_000 }), Date.now());
 * for (const { id } of evicted) await tl.memory.forget(id);
 */
export function evictFactsIfNeeded(
  memories: readonly Memory[],
  now: number,
  spared: ReadonlySet<string> = new Set(),
): Eviction {
  const facts = memories.filter(isCurrentFact).filter(isOutsideProjects);
  const pinned = exemptPins(facts);
  const byScore = facts
    .filter(({ id }) => !pinned.has(id) && !spared.has(id))
    .sort((a, b) => calculateEvictionScore(b, now) - calculateEvictionScore(a, now) || a.lastSeenAt - b.lastSeenAt);
  const evicted: ChatFact[] = [];
  for (const fact of byScore) {
    const left = facts.length - evicted.length;
    if (left > HARD_CAP || (left > PRUNE_THRESHOLD && isOlder(fact, STALE_SHARE, now))) evicted.push(fact);
  }
  return { evicted, remaining: facts.length - evicted.length };
}

/**
 * Selects expired chat facts: project facts 60 days after their last mention, preferences after 180, identity facts
 * after 365. The ten pinned facts mentioned last never expire. Nothing is stored.
 *
 * @param memories Memories of the user. Only current facts with a category and without a `projectId` count.
 * @param now Current time, in milliseconds since 1970.
 *
 * @example
 * for (const { id } of pruneExpiredFacts(await tl.memory.list(), Date.now())) await tl.memory.forget(id);
 */
export function pruneExpiredFacts(memories: readonly Memory[], now: number): readonly ChatFact[] {
  const facts = memories.filter(isCurrentFact).filter(isOutsideProjects);
  const pinned = exemptPins(facts);
  return facts.filter((fact) => !pinned.has(fact.id) && isOlder(fact, 1, now));
}

/** A fact of a project ends only if it is superseded or forgotten by hand. */
function isOutsideProjects({ projectId }: ChatFact): boolean {
  return projectId === undefined;
}

function isOlder({ category, lastSeenAt }: ChatFact, share: number, now: number): boolean {
  return now - lastSeenAt > CATEGORY_EXPIRY[category] * share;
}

/** Ids of the pinned facts that are exempt: the ten mentioned last, because an import may contain more pins. */
function exemptPins(facts: readonly ChatFact[]): ReadonlySet<string> {
  const pinned = facts.filter((fact) => fact.pinned).sort((a, b) => b.lastSeenAt - a.lastSeenAt);
  return new Set(pinned.slice(0, MAX_PINNED).map((fact) => fact.id));
}
