import type { Memory } from "../../ports/memory.ts";

/** A memory that helped at least this often is surer than this, and the more so the more often it did. */
const HELPFUL = { cited: 2, base: 0.5, span: 0.45 };
/** One that was given out this often for nothing is at most so sure. */
const IGNORED = { ignored: 5, share: 0.25, base: 0.6, span: 0.6 };
/** What was said so often is true, whether it was of use or not. */
const WELL_SAID = 3;

/**
 * How sure a memory is in the light of its use: at least so much where it was cited, at most so much where it was given
 * out again and again and never used. The bounds depend on the counts alone, so that doing it twice does nothing more.
 * That a memory was found says nothing of its worth, and what was pinned, told by hand or said often is not demoted.
 */
export function adjustConfidence(memory: Memory): Memory {
  const { cited, ignored } = memory.usage;
  const share = (cited + 1) / (cited + ignored + 2);
  const floor = cited >= HELPFUL.cited ? HELPFUL.base + HELPFUL.span * share : 0;
  const isDemoted = ignored >= IGNORED.ignored && share < IGNORED.share && !isExempt(memory);
  const ceiling = isDemoted ? IGNORED.base + IGNORED.span * share : 1;
  const confidence = Math.min(Math.max(memory.confidence, floor), ceiling);
  return confidence === memory.confidence ? memory : { ...memory, confidence };
}

function isExempt({ pinned, byHand, mentions }: Memory): boolean {
  return pinned || byHand || mentions >= WELL_SAID;
}
