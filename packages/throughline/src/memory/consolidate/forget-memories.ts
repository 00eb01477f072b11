import type { Memory } from "../../ports/memory.ts";
import { evictFactsIfNeeded, pruneExpiredFacts } from "../facts/evict-facts.ts";
import { CATEGORY_EXPIRY, type ChatFact, isCurrentFact } from "../facts/fact-rules.ts";
import { isCurrent } from "./current.ts";
import type { FactIndex } from "./fact-index.ts";
import { findUnused, type UnusedOptions } from "./find-unused.ts";

/** Why a memory was put away. */
export type ForgetReason = "superseded" | "expired" | "unused" | "evicted";

export type ForgetOptions = UnusedOptions;

/**
 * What is to be put away, and why:
 *
 * - `superseded`: something else took its place, and its time is over. Pinned ones stay.
 * - `expired`: a fact of the chat, outside of projects, that nobody has mentioned, or used, for as long as its category is kept.
 * - `unused`: see {@link findUnused}.
 * - `evicted`: facts of the chat beyond what there may be.
 *
 * Nothing is deleted by it. Where somebody still has to decide between two memories, both stay.
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

/** What is said in the chat of one person. What a project shares has no such caps. */
function isChatFact(memory: Memory): memory is ChatFact {
  return memory.scope === "user-private" && isCurrentFact(memory);
}

function isSuperseded({ supersededBy, validTo = Number.NEGATIVE_INFINITY, pinned }: Memory, now: number): boolean {
  return supersededBy !== undefined && validTo <= now && !pinned;
}

/** Given out within the time that its category is kept. */
function wasUsed({ category, usage }: ChatFact, now: number): boolean {
  return usage.lastAccessedAt !== undefined && now - usage.lastAccessedAt <= CATEGORY_EXPIRY[category];
}
