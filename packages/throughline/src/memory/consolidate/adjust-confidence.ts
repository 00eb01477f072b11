import type { Memory } from "../../ports/memory.ts";

/** Minimum confidence of a memory with this many citations: `base + span × share of citations`. */
const CITED = { cited: 2, base: 0.5, span: 0.45 };
/** Maximum confidence of a memory that was ignored this often and cited in less than this share of its uses. */
const IGNORED = { ignored: 5, share: 0.25, base: 0.6, span: 0.6 };
/** A fact that the user repeated this often is not demoted for being ignored. */
const EXEMPT_MENTIONS = 3;

/**
 * Adjusts the confidence of a memory to its use: citations set a minimum, being ignored again and again sets a maximum.
 * The bounds depend on the counts alone, so a second run changes nothing. Retrievals do not count, because they say
 * nothing about usefulness. Memories that are pinned, saved by hand or mentioned often are not demoted.
 */
export function adjustConfidence(memory: Memory): Memory {
  const { cited, ignored } = memory.usage;
  const share = (cited + 1) / (cited + ignored + 2);
  const floor = cited >= CITED.cited ? CITED.base + CITED.span * share : 0;
  const isDemoted = ignored >= IGNORED.ignored && share < IGNORED.share && !isExempt(memory);
  const ceiling = isDemoted ? IGNORED.base + IGNORED.span * share : 1;
  const confidence = Math.min(Math.max(memory.confidence, floor), ceiling);
  return confidence === memory.confidence ? memory : { ...memory, confidence };
}

function isExempt({ pinned, byHand, mentions }: Memory): boolean {
  return pinned || byHand || mentions >= EXEMPT_MENTIONS;
}
