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

/** Between the threshold and the cap, only facts older than this share of their category's expiry are evicted. */
const STALE_SHARE = 0.5;

export interface Eviction {
  /** Facts to archive, least valuable first. */
  readonly evicted: readonly ChatFact[];
  /** Number of facts left. */
  readonly remaining: number;
}

/**
 * Eviction score of a fact: its age in days times the weight of its category, divided by its confidence. The highest score
 * is evicted first.
 */
export function calculateEvictionScore(
  { category, lastSeenAt, confidence }: Pick<ChatFact, "category" | "lastSeenAt" | "confidence">,
  now: number,
): number {
  const ageInDays = Math.max(0, now - lastSeenAt) / DAY;
  return (ageInDays * CATEGORY_WEIGHTS[category]) / Math.max(confidence, Number.EPSILON);
}

/**
 * Selects chat facts to evict: none up to 120 facts; above 150, the excess; in between, only facts that were not mentioned
 * for half of their category's expiry. Pinned and `spared` facts are never evicted.
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

/** Chat facts that were not mentioned within their category's expiry: project 60 days, preference 180, identity 365. */
export function pruneExpiredFacts(memories: readonly Memory[], now: number): readonly ChatFact[] {
  const facts = memories.filter(isCurrentFact);
  const pinned = exemptPins(facts);
  return facts.filter((fact) => !pinned.has(fact.id) && isOlder(fact, 1, now));
}

function isOlder({ category, lastSeenAt }: ChatFact, share: number, now: number): boolean {
  return now - lastSeenAt > CATEGORY_EXPIRY[category] * share;
}

/** Ids of the pinned facts that are exempt: the ten mentioned last, because an import may contain more pins. */
function exemptPins(facts: readonly ChatFact[]): ReadonlySet<string> {
  const pinned = facts.filter((fact) => fact.pinned).sort((a, b) => b.lastSeenAt - a.lastSeenAt);
  return new Set(pinned.slice(0, MAX_PINNED).map((fact) => fact.id));
}
