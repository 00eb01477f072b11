import type { ReportedCompaction } from "throughline/internal";
import { count, number, short } from "./copy.ts";

/** Describes the effect of a compaction in a few sentences. */
export function describeCompaction(compaction: ReportedCompaction): string {
  const { call, tokensBefore, tokensAfter, summary, review, lookups } = compaction;
  const sizes = `After call ${number(call)}, the agent compacted ${short(tokensBefore)} → ${short(tokensAfter)} tokens.`;
  return [sizes, ...describeNames(summary === undefined ? undefined : review), ...describeLookups(lookups)].join(" ");
}

function describeNames(review: ReportedCompaction["review"]): string[] {
  if (review === undefined) return ["Its summary can't be read in the transcript."];
  const { needed, kept, missing } = review;
  if (needed === 0) return ["The next 40 calls used no names from before."];
  const names = needed === 1 ? "Of the 1 name" : `Of the ${number(needed)} names`;
  const gone = missing.length;
  return [
    `${names} (files, functions, values) it needed next, ${number(kept)} ${wasOrWere(kept)} kept and ${number(gone)} ${wasOrWere(gone)} gone.`,
  ];
}

function describeLookups(lookups: ReportedCompaction["lookups"]): string[] {
  if (lookups.length === 0) return [];
  const tokens = lookups.reduce((sum, one) => sum + one.tokens, 0);
  return [`It repeated ${count(lookups.length, "lookup")}, for ${short(tokens)} tokens.`];
}

function wasOrWere(value: number): string {
  return value === 1 ? "was" : "were";
}
