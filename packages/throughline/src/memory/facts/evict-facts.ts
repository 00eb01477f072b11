import type { Memory } from "../../ports/memory.ts";
import {
  CATEGORY_EXPIRY,
  CATEGORY_WEIGHTS,
  type ChatFact,
  DAY,
  HARD_CAP,
  isCurrentFact,
  MAX_PINNED,
  PRUNE_THRESHOLD,
} from "./fact-rules.ts";

/** Between the threshold and the cap only facts go that have waited for this share of their time. */
const STALE_SHARE = 0.5;

export interface Eviction {
  /** What has to be put away, the least worth first. */
  readonly evicted: readonly ChatFact[];
  /** How many facts are left. */
  readonly remaining: number;
}

/**
 * How much a fact is in the way: its age in days by the weight of its category, over its confidence. The highest goes
 * first.
 */
export function calculateEvictionScore(
  { category, lastSeenAt, confidence }: Pick<ChatFact, "category" | "lastSeenAt" | "confidence">,
  now: number,
): number {
  const ageInDays = Math.max(0, now - lastSeenAt) / DAY;
  return (ageInDays * CATEGORY_WEIGHTS[category]) / Math.max(confidence, Number.EPSILON);
}

/**
 * Which facts have to go: up to 120 none, above 150 as many as are too many, and between the two those that nobody has
 * mentioned for half of the time that their category is kept. Pinned facts stay, and those that are spared.
 */
export function evictFactsIfNeeded(
  memories: readonly Memory[],
  now: number,
  spared: ReadonlySet<string> = new Set(),
): Eviction {
  const facts = memories.filter(isCurrentFact);
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

/** Facts that nobody has mentioned for as long as their category is kept: projects 60 days, preferences 180, identity 365. */
export function pruneExpiredFacts(memories: readonly Memory[], now: number): readonly ChatFact[] {
  const facts = memories.filter(isCurrentFact);
  const pinned = exemptPins(facts);
  return facts.filter((fact) => !pinned.has(fact.id) && isOlder(fact, 1, now));
}

function isOlder({ category, lastSeenAt }: ChatFact, share: number, now: number): boolean {
  return now - lastSeenAt > CATEGORY_EXPIRY[category] * share;
}

/** The pins that count: an import may bring more than there may be, and the caps hold all the same. */
function exemptPins(facts: readonly ChatFact[]): ReadonlySet<string> {
  const pinned = facts.filter((fact) => fact.pinned).sort((a, b) => b.lastSeenAt - a.lastSeenAt);
  return new Set(pinned.slice(0, MAX_PINNED).map((fact) => fact.id));
}
