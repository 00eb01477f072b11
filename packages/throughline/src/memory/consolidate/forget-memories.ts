import type { Memory } from "../../ports/memory.ts";
import { evictFactsIfNeeded, pruneExpiredFacts } from "../facts/evict-facts.ts";
import { CATEGORY_EXPIRY, type ChatFact, isCurrentFact } from "../facts/fact-rules.ts";
import { isCurrent } from "./current.ts";
import type { FactIndex } from "./fact-index.ts";
import { findUnused, type UnusedOptions } from "./find-unused.ts";

/** Reason for archiving a memory. */
export type ForgetReason = "superseded" | "expired" | "unused" | "evicted";

export type ForgetOptions = UnusedOptions;

/**
 * Finds memories to archive, with the reason:
 *
 * - `superseded`: another memory replaced it and it has ended. Pinned memories stay.
 * - `expired`: a chat fact outside of projects, without mention or use for the retention time of its category.
 * - `unused`: see {@link findUnused}.
 * - `evicted`: chat facts above the cap.
 *
 * Nothing is deleted. Both memories of an open contradiction stay.
 */
export function forgetMemories(
  indexes: readonly FactIndex[],
  memories: ReadonlyMap<string, Memory>,
  options: ForgetOptions,
): ReadonlyMap<string, ForgetReason> {
  const { now, isFixed } = options;
  const forgotten = new Map<string, ForgetReason>();
  const stays = ({ id, archivedAt }: Memory) => archivedAt === undefined && !forgotten.has(id);
  const all = [...memories.values()];
  for (const memory of all) {
    if (stays(memory) && isSuperseded(memory, now) && !isFixed(memory.id)) forgotten.set(memory.id, "superseded");
  }
  for (const facts of Map.groupBy(all.filter(isChatFact), ({ owner }) => owner).values()) {
    const idle = facts.filter((fact) => stays(fact) && !isFixed(fact.id) && !wasUsed(fact, now));
    for (const { id } of pruneExpiredFacts(idle, now)) forgotten.set(id, "expired");
    for (const { id } of evictFactsIfNeeded(facts.filter(stays), now).evicted) forgotten.set(id, "evicted");
  }
  const others = all.filter((memory) => stays(memory) && isCurrent(memory, now) && !isChatFact(memory));
  for (const id of findUnused(indexes, others, options)) forgotten.set(id, "unused");
  return forgotten;
}

/** Private facts of a chat. Facts that a project shares have no caps and no expiry. */
function isChatFact(memory: Memory): memory is ChatFact {
  return memory.scope === "user-private" && isCurrentFact(memory);
}

function isSuperseded({ supersededBy, validTo = Number.NEGATIVE_INFINITY, pinned }: Memory, now: number): boolean {
  return supersededBy !== undefined && validTo <= now && !pinned;
}

/** True if the fact was recalled within the retention time of its category. */
function wasUsed({ category, usage }: ChatFact, now: number): boolean {
  return usage.lastAccessedAt !== undefined && now - usage.lastAccessedAt <= CATEGORY_EXPIRY[category];
}
