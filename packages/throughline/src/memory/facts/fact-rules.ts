import { InvalidOptionError } from "../../errors/input-errors.ts";
import { DAY } from "../../internal/time.ts";
import { type FactCategory, isCurrent, type Memory } from "../../ports/memory.ts";

/** Baseline confidence of extracted facts, and of facts saved by hand. */
export const EXTRACTED_CONFIDENCE = 0.75;
const BY_HAND_CONFIDENCE = 0.6;

/** Added to the confidence by a repetition. A repeated fact that was saved by hand gains more. */
export const REPETITION_BOOST = 0.15;
export const BY_HAND_BOOST = 0.25;

/** Number of facts above which stale ones are evicted, and the hard cap. */
export const PRUNE_THRESHOLD = 120;
export const MAX_CHAT_FACTS = 150;
export const MAX_PINNED = 10;

/** Milliseconds after the last mention at which a fact expires. */
export const CATEGORY_EXPIRY: Readonly<Record<FactCategory, number>> = {
  project: 60 * DAY,
  preference: 180 * DAY,
  identity: 365 * DAY,
};

const CATEGORY_WEIGHTS: Readonly<Record<FactCategory, number>> = {
  project: 0.8,
  preference: 0.3,
  identity: 0.5,
};

/** A fact with a category. Limits on number, age and pins apply to it. */
export type ChatFact = Memory & { readonly category: FactCategory };

/** True for a current chat fact: it has a category, has no end, and is not archived. */
export function isCurrentFact(memory: Memory): memory is ChatFact {
  return memory.kind === "fact" && memory.category !== undefined && isCurrent(memory);
}

/** Confidence of a new fact, or of one that replaces another. */
export function baselineConfidence(byHand: boolean): number {
  return byHand ? BY_HAND_CONFIDENCE : EXTRACTED_CONFIDENCE;
}

/**
 * Checks whether another chat fact can be pinned. The limit is ten.
 *
 * @param memories Memories of the user. Only current facts with a category count.
 *
 * @example
 * if (!canPin(await tl.memory.list())) console.log("Unpin a memory first.");
 */
export function canPin(memories: readonly Memory[]): boolean {
  return memories.filter((memory) => memory.pinned && isCurrentFact(memory)).length < MAX_PINNED;
}

/**
 * Returns a pinned copy of a memory. Nothing is stored; `tl.memory.update(id, { pinned: true })` also stores it.
 *
 * @param fact The memory to pin. The limit of ten applies only to current facts with a category.
 * @param memories Memories of the user, whose pins count towards the limit.
 * @throws InvalidOptionError if ten chat facts are already pinned.
 *
 * @example
 * pinFact(fact, await tl.memory.list()).pinned; // true
 */
export function pinFact<T extends Memory>(fact: T, memories: readonly Memory[]): T {
  if (fact.pinned) return fact;
  if (isCurrentFact(fact) && !canPin(memories)) {
    throw new InvalidOptionError("pinned", MAX_PINNED + 1, `at most ${MAX_PINNED} facts; unpin one first`);
  }
  return { ...fact, pinned: true };
}

/** Between the threshold and the cap, only facts older than this share of their category's expiry are evicted. */
const STALE_SHARE = 0.5;

/** Result of `planEviction`. */
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
 * evictionScore({ category: "project", lastSeenAt: 0, confidence: 0.8 }, tenDays); // 10
 */
export function evictionScore(
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
 * const { evicted } = planEviction(await tl.memory.list({ limit: 1_000 }), Date.now());
 * for (const { id } of evicted) await tl.memory.forget(id);
 */
export function planEviction(
  memories: readonly Memory[],
  now: number,
  spared: ReadonlySet<string> = new Set(),
): Eviction {
  const facts = memories.filter(isCurrentFact).filter(isOutsideProjects);
  const pinned = exemptPins(facts);
  const byScore = facts
    .filter(({ id }) => !pinned.has(id) && !spared.has(id))
    .sort((a, b) => evictionScore(b, now) - evictionScore(a, now) || a.lastSeenAt - b.lastSeenAt);
  const evicted: ChatFact[] = [];
  for (const fact of byScore) {
    const left = facts.length - evicted.length;
    if (left > MAX_CHAT_FACTS || (left > PRUNE_THRESHOLD && isOlder(fact, STALE_SHARE, now))) evicted.push(fact);
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
 * for (const { id } of planExpiry(await tl.memory.list(), Date.now())) await tl.memory.forget(id);
 */
export function planExpiry(memories: readonly Memory[], now: number): readonly ChatFact[] {
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
