import type { Ledger } from "../../ledger/ledger.ts";

const DECISION =
  /\b(decided (to|on|against)|chose (to|the)|opted (to|for)|settled on|(go|going|went) with\b|(I|we)(['’]ll| will| should|['’]m going to) .{0,120}\b(instead of|rather than|because|so that)\b|root cause (is|was)|the (fix|problem|issue|cause) (is|was)\b|turns? out|(use|using|used|keep|kept|switch(ed)? to|replaced?) .{1,120}\b(instead of|rather than|because)\b)/i;

/** Whether a sentence tells a choice or a cause. */
export function isDecision(sentence: string): boolean {
  return DECISION.test(sentence) && !/[?:]$/.test(sentence);
}

/** What the assistant said about its choices and about causes, in order. */
export function decisionsOf({ statements }: Ledger): readonly string[] {
  return statements.map(({ text }) => text.replaceAll("**", "")).filter(isDecision);
}
