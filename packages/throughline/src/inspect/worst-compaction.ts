import type { InspectedCompaction } from "./session-inspector.ts";

/** Loss of a compaction for comparison: names that were needed and gone first, then tokens that were looked up again. */
export function compactionLoss({ review, lookups }: Pick<InspectedCompaction, "review" | "lookups">): number {
  return 1_000_000 * (review?.missing.length ?? 0) + lookups.reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Index of the compaction that lost most; -1 if there is none. */
export function worstCompaction(compactions: readonly Pick<InspectedCompaction, "review" | "lookups">[]): number {
  const losses = compactions.map(compactionLoss);
  return losses.length === 0 ? -1 : losses.indexOf(Math.max(...losses));
}
