import type { InspectedCompaction } from "./session-inspector.ts";

type Compared = Pick<InspectedCompaction, "summary" | "review" | "lookups">;

/** Number of names that were needed afterwards and gone. A summary that cannot be read may have them: 0. */
export function namesGone({ summary, review }: Pick<Compared, "summary" | "review">): number {
  return summary === undefined ? 0 : (review?.missing.length ?? 0);
}

/** Index of the compaction that lost most: names first, then tokens that were looked up again. -1 if there is none. */
export function worstCompaction(compactions: readonly Compared[]): number {
  const losses = compactions.map(
    (one) => 1_000_000 * namesGone(one) + one.lookups.reduce((sum, { tokens }) => sum + tokens, 0),
  );
  return losses.length === 0 ? -1 : losses.indexOf(Math.max(...losses));
}
