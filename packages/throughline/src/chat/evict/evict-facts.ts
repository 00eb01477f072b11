import {
  calculateEvictionScore as calculateScore,
  evictFactsIfNeeded as planEviction,
  pruneExpiredFacts as planPruning,
} from "../../memory/facts/evict-facts.ts";
import type { ChatFact } from "../../memory/facts/fact-rules.ts";
import type { MemoryService } from "../../memory/service/memory-service.ts";
import { listChatFacts } from "../list-chat-facts.ts";
import type { MemoryFact } from "../memory-fact.ts";
import { attempt, type Result } from "./result.ts";

type FactStore = Pick<MemoryService, "list" | "forget">;

export interface EvictOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds since 1970; now, where nothing is said. */
  readonly now?: number;
}

/**
 * How much a fact is in the way: its age in days by the weight of its category, over its confidence. The highest goes
 * first.
 *
 * @example
 * facts.toSorted((a, b) => calculateEvictionScore(b) - calculateEvictionScore(a))[0]; // the first to go
 */
export function calculateEvictionScore(
  { category, confidence, lastSeen }: Pick<MemoryFact, "category" | "confidence" | "lastSeen">,
  now = Date.now(),
): number {
  return calculateScore({ category, confidence, lastSeenAt: lastSeen }, now);
}

/**
 * Puts facts away where there are too many: up to 120 none, beyond 150 as many as are too many, in between those that
 * nobody has mentioned for half of their time. Pinned facts stay, and what is put away can be brought back.
 */
export function evictFactsIfNeeded(
  memory: FactStore,
  options: EvictOptions = {},
): Promise<Result<{ readonly evicted: number; readonly remaining: number }>> {
  return attempt(async () => {
    const { now = Date.now() } = options;
    // Each project has limits of its own, as it has where facts are remembered.
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

/** Puts facts away that nobody has mentioned for as long as their category is kept, and says how many. */
export function pruneExpiredFacts(memory: FactStore, options: EvictOptions = {}): Promise<Result<number>> {
  return attempt(async () => {
    const { now = Date.now() } = options;
    return forgetAll(memory, planPruning(await listChatFacts(memory), now), options);
  });
}

async function forgetAll(memory: FactStore, facts: readonly ChatFact[], { signal }: EvictOptions): Promise<number> {
  for (const { id } of facts) {
    if (signal?.aborted) throw signal.reason;
    await memory.forget(id);
  }
  return facts.length;
}
