/** From this share of the window on, something has to leave it. */
export const COMPACTION_THRESHOLD = 0.8;

/**
 * Whether a window of a chat is so full that something has to leave it: from 80% on.
 *
 * @example
 * shouldCompact(80_000, 100_000); // true
 */
export function shouldCompact(totalTokens: number, contextWindow: number): boolean {
  return totalTokens / contextWindow >= COMPACTION_THRESHOLD;
}
