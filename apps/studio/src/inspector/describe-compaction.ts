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
  const share = `It kept ${Math.round((100 * kept) / needed)}% of the names that were needed afterwards.`;
  return missing.length === 0 ? [share] : [share, `${count(missing.length, "name was", "names were")} gone.`];
}

function describeLookups(lookups: ReportedCompaction["lookups"]): string[] {
  if (lookups.length === 0) return [];
  const tokens = lookups.reduce((sum, one) => sum + one.tokens, 0);
  return [`${count(lookups.length, "lookup was", "lookups were")} repeated, for ${short(tokens)} tokens.`];
}
