import { AT_LEAST_ZERO, checkOptions, OBJECT, type OptionRules } from "../../errors/check-options.ts";
import { type ChatFact, evictionScore, planEviction, planExpiry } from "../../memory/facts/fact-rules.ts";
import type { MemoryService } from "../../memory/memory-service.ts";
import { listChatFacts, type MemoryFact } from "../memory-fact.ts";

type FactStore = Pick<MemoryService, "list" | "forget">;

export interface EvictOptions {
  /** Stops between two facts. */
  readonly signal?: AbortSignal;
  /** Current time in milliseconds since 1970. Default: now. */
  readonly now?: number;
}

const EVICT_RULES: OptionRules<EvictOptions> = { signal: OBJECT, now: AT_LEAST_ZERO };

/**
 * Scores a fact for eviction: its age in days times the weight of its category, divided by its confidence. The highest
 * score is evicted first.
 *
 * @param fact Fact to score.
 * @param now Current time in milliseconds since 1970.
 *
 * @example
 * const [first] = facts.toSorted((a, b) => calculateEvictionScore(b) - calculateEvictionScore(a));
 */
export function calculateEvictionScore(
  { category, confidence, lastSeen }: Pick<MemoryFact, "category" | "confidence" | "lastSeen">,
  now: number = Date.now(),
): number {
  return evictionScore({ category, confidence, lastSeenAt: lastSeen }, now);
}

/**
 * Archives facts if there are too many: none up to 120; above 150 the excess; in between those unmentioned for half of
 * their TTL. Pinned facts stay. Archived facts can be restored.
 *
 * @param memory Memory service of the user.
 * @param options Current time.
 * @returns The evicted facts, or the error.
 *
 * @example
 * const result = await evictFactsIfNeeded(tl.memory);
 * if (result.kind === "error") console.error(result.error);
 */
export function evictFactsIfNeeded(
  memory: FactStore,
  options: EvictOptions = {},
): Promise<Result<{ readonly evicted: number; readonly remaining: number }>> {
  return attempt(async () => {
    checkOptions("evictFactsIfNeeded", options, EVICT_RULES);
    const { now = Date.now() } = options;
    // Limits apply per project, as when facts are saved.
    const groups = Map.groupBy(await listChatFacts(memory), ({ projectId = "" }) => projectId);
    const plans = [...groups.values()].map((facts) => planEviction(facts, now));
    const evicted = await forgetAll(
      memory,
      plans.flatMap((plan) => plan.evicted),
      options,
    );
    return { evicted, remaining: plans.reduce((sum, { remaining }) => sum + remaining, 0) };
  });
}

/**
 * Archives facts that were not mentioned for the TTL of their category.
 *
 * @param memory Memory service of the user.
 * @param options Current time.
 * @returns The number of archived facts, or the error.
 *
 * @example
 * const result = await pruneExpiredFacts(tl.memory);
 * if (result.kind === "ok") console.log(result.value);
 */
export function pruneExpiredFacts(memory: FactStore, options: EvictOptions = {}): Promise<Result<number>> {
  return attempt(async () => {
    checkOptions("pruneExpiredFacts", options, EVICT_RULES);
    const { now = Date.now() } = options;
    return forgetAll(memory, planExpiry(await listChatFacts(memory), now), options);
  });
}

async function forgetAll(memory: FactStore, facts: readonly ChatFact[], { signal }: EvictOptions): Promise<number> {
  for (const { id } of facts) {
    if (signal?.aborted) throw signal.reason;
    await memory.forget(id);
  }
  return facts.length;
}

/** Result of an operation that may fail in normal use. */
export type Result<T, E extends Error = Error> =
  | { readonly kind: "ok"; readonly value: T }
  | { readonly kind: "error"; readonly error: E };

/** Runs work and returns errors as a result. */
async function attempt<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return { kind: "ok", value: await work() };
  } catch (error) {
    return { kind: "error", error: error instanceof Error ? error : new Error(String(error)) };
  }
}
