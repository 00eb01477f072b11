import { wordSet } from "../../language/word-lists.ts";
import type { Memory } from "../../ports/memory.ts";
import { EXTRACTED_CONFIDENCE } from "../facts/fact-rules.ts";
import { normalizeKey } from "../facts/slot-keys.ts";
import { FORGET_UNUSED_AFTER } from "./consolidation-rules.ts";
import type { FactIndex } from "./fact-index.ts";

/** What was laid down is asked for rarely, and holds all the same. */
const LAID_DOWN = wordSet("decision constraint rule convention instruction requirement policy");
const DENIALS = ["not", "nomore", "no", "without"];

export interface UnusedOptions {
  readonly now: number;
  /** Memories that stay, used or not. */
  readonly isFixed: (id: string) => boolean;
  /** Whether what a memory rests on is still there, and found, as a turn. */
  readonly standsAsTurn?: (memory: Memory) => boolean;
}

/**
 * Which of the memories that hold may be put away because nobody uses them. It is not enough that one was neither said nor given out
 * for 90 days: what is asked for once a year would be lost. It goes only where nothing is lost by it:
 *
 * - another memory that stays says the same and more, or
 * - the turn that it was taken from is still there and found, or
 * - it was said once, and with less confidence than what is plainly stated.
 *
 * What was pinned, told by hand or laid down (decisions, rules, constraints, all with an ADR) stays, and so does every fact
 * of a project; patterns and workflows go by the last rule alone.
 */
export function findUnused(
  indexes: readonly FactIndex[],
  memories: readonly Memory[],
  { now, isFixed, standsAsTurn }: UnusedOptions,
): ReadonlySet<string> {
  const candidates = new Set<string>();
  const unused = new Set<string>();
  /** What others may rely on: it does not go by the last rule. */
  const firm = new Set<string>();
  for (const memory of memories) {
    const { id, kind } = memory;
    if (!isDoubtful(memory)) firm.add(id);
    if (isFixed(id) || !isUnused(memory, now)) continue;
    const isTold = kind === "fact" || kind === "episode";
    if (isDoubtful(memory) || (isTold && standsAsTurn?.(memory) === true)) unused.add(id);
    else candidates.add(id);
  }
  for (const index of indexes) {
    for (const [at, id] of index.ids.entries()) {
      const stays = (other: string) => firm.has(other) && !unused.has(other);
      if (candidates.has(id) && isSaidElsewhere(index, at, stays)) unused.add(id);
    }
  }
  return unused;
}

function isUnused(memory: Memory, now: number): boolean {
  const { usage, pinned, byHand, createdAt, lastSeenAt } = memory;
  if (pinned || byHand || usage.retrieved > 0 || usage.cited > 0 || isLaidDown(memory)) return false;
  if (memory.kind === "fact" && memory.projectId !== undefined) return false;
  // What was brought in yesterday has had no time to be of use, however old it is.
  return now - Math.max(createdAt, lastSeenAt) > FORGET_UNUSED_AFTER;
}

function isLaidDown({ key, artifacts }: Memory): boolean {
  return (key !== undefined && LAID_DOWN.has(normalizeKey(key))) || artifacts.some(({ type }) => type === "adr");
}

function isDoubtful({ mentions, confidence }: Memory): boolean {
  return mentions <= 1 && confidence < EXTRACTED_CONFIDENCE;
}

/** Whether another fact that stays has all of its words, and denies no more and no less. */
function isSaidElsewhere(index: FactIndex, at: number, stays: (id: string) => boolean): boolean {
  const terms = index.terms(at);
  return index.near(at).some(({ at: other, share }) => {
    const others = index.terms(other);
    if (share < 1 || others.length <= terms.length || !stays(index.ids[other] ?? "")) return false;
    return DENIALS.every((denial) => terms.includes(denial) === others.includes(denial));
  });
}
