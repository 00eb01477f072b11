import type { Ledger } from "../../ledger/ledger.ts";

const DECISION =
  /\b(decided (to|on|against)|chose (to|the)|opted (to|for)|settled on|(go|going|went) with\b|(I|we)(['’]ll| will| should|['’]m going to) .{0,120}\b(instead of|rather than|because|so that)\b|root cause (is|was)|the (fix|problem|issue|cause) (is|was)\b|turns? out|(use|using|used|keep|kept|switch(ed)? to|replaced?) .{1,120}\b(instead of|rather than|because)\b)/i;

/** True if a sentence states a decision or a cause. */
export function isDecision(sentence: string): boolean {
  return DECISION.test(sentence) && !/[?:]$/.test(sentence);
}

/** The assistant's statements of decisions and causes, in order. */
export function decisionsOf({ statements }: Ledger): readonly string[] {
  return statements.map(({ text }) => text.replaceAll("**", "")).filter(isDecision);
}
