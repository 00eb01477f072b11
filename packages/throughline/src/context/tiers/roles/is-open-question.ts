import type { Memory } from "../../../ports/memory.ts";

const OPEN =
  /\b(?:open questions?|undecided|not (?:yet )?(?:been )?decided|to be decided|TBD|blocked (?:by|on)|blockers?|waiting (?:for|on)|still unclear|needs? a decision|unresolved)\b|\?["'”’)]*\s*$/i;

/**
 * True if a memory is an open question, a pending decision or a blocker.
 *
 * @example
 * isOpenQuestion(memory); // "Blocked by the payment provider's review." → true
 */
export function isOpenQuestion({ kind, category, levels }: Memory): boolean {
  return kind === "fact" && category !== "identity" && category !== "preference" && OPEN.test(levels.full);
}
