import { wordSet } from "../../language/words.ts";
import type { Memory } from "../../ports/memory.ts";
import {
  CATEGORY_EXPIRY,
  type ChatFact,
  EXTRACTED_CONFIDENCE,
  isCurrentFact,
  planEviction,
  planExpiry,
} from "../facts/fact-rules.ts";
import { normalizeKey } from "../facts/slots.ts";
import { type FactIndex, FORGET_UNUSED_AFTER, isCurrent } from "./fact-index.ts";

interface UnusedOptions {
  readonly now: number;
  /** True for memories that must not be archived. */
  readonly isFixed: (id: string) => boolean;
  /** True if the turn that a memory was extracted from is stored and can be recalled. */
  readonly hasStoredTurn?: (memory: Memory) => boolean;
}

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
    for (const { id } of planExpiry(idle, now)) forgotten.set(id, "expired");
    for (const { id } of planEviction(facts.filter(stays), now).evicted) forgotten.set(id, "evicted");
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

/** Keys of decisions and rules. They are rarely recalled, but stay valid. */
const RULE_KEYS = wordSet("decision constraint rule convention instruction requirement policy");
const NEGATIONS = ["not", "nomore", "no", "without"];

/**
 * Finds current memories to archive because they are not used. 90 days without mention or retrieval are not enough,
 * because some facts are needed once a year. In addition, one of these has to be true, so that no information is lost:
 *
 * - another memory that is kept states the same and more;
 * - the turn that the memory was extracted from can still be recalled;
 * - the memory was mentioned once, with less confidence than an explicit statement.
 *
 * Pinned memories, memories saved by hand, decisions and rules (by key or ADR) and facts of a project are kept.
 * Patterns and workflows are archived by the last rule only.
 */
function findUnused(
  indexes: readonly FactIndex[],
  memories: readonly Memory[],
  { now, isFixed, hasStoredTurn }: UnusedOptions,
): ReadonlySet<string> {
  const candidates = new Set<string>();
  const unused = new Set<string>();
  /** Memories that the last rule does not archive, so that others can be archived in favor of them. */
  const firm = new Set<string>();
  for (const memory of memories) {
    const { id, kind } = memory;
    if (!isDoubtful(memory)) firm.add(id);
    if (isFixed(id) || !isUnused(memory, now)) continue;
    const hasTurn = kind === "fact" || kind === "episode";
    if (isDoubtful(memory) || (hasTurn && hasStoredTurn?.(memory) === true)) unused.add(id);
    else candidates.add(id);
  }
  for (const index of indexes) {
    for (const [at, id] of index.ids.entries()) {
      const stays = (other: string) => firm.has(other) && !unused.has(other);
      if (candidates.has(id) && isContainedInOther(index, at, stays)) unused.add(id);
    }
  }
  return unused;
}

function isUnused(memory: Memory, now: number): boolean {
  const { usage, pinned, byHand, createdAt, lastSeenAt } = memory;
  if (pinned || byHand || usage.retrieved > 0 || usage.cited > 0 || isRule(memory)) return false;
  if (memory.kind === "fact" && memory.projectId !== undefined) return false;
  // `lastSeenAt` of an imported memory can be old. It counts as unused only 90 days after the import.
  return now - Math.max(createdAt, lastSeenAt) > FORGET_UNUSED_AFTER;
}

function isRule({ key, artifacts }: Memory): boolean {
  return (key !== undefined && RULE_KEYS.has(normalizeKey(key))) || artifacts.some(({ type }) => type === "adr");
}

function isDoubtful({ mentions, confidence }: Memory): boolean {
  return mentions <= 1 && confidence < EXTRACTED_CONFIDENCE;
}

/** True if another fact that stays has all terms of this one, and the same negations. */
function isContainedInOther(index: FactIndex, at: number, stays: (id: string) => boolean): boolean {
  const terms = index.terms(at);
  return index.near(at).some(({ at: other, share }) => {
    const others = index.terms(other);
    if (share < 1 || others.length <= terms.length || !stays(index.ids[other] ?? "")) return false;
    return NEGATIONS.every((negation) => terms.includes(negation) === others.includes(negation));
  });
}
