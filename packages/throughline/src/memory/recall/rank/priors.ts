import type { Memory } from "../../../ports/memory.ts";

const DAY = 86_400_000;
/** Priors decide between hits that fit about equally well; what fits better stays ahead. */
const MOST = 0.5;
const RECENT = 0.2;
const RECENT_DAYS = 60;
const PINNED = 0.3;
const CONFIDENCE = 0.4;
const USUAL_CONFIDENCE = 0.75;
/** For each doubling of how often it was cited or ignored. */
const CITED = 0.1;
const IGNORED = 0.1;
/** Given out so often and never of use. */
const OFTEN_RETRIEVED = 5;
const NEVER_CITED = 0.05;

/** What speaks for or against a memory whatever is asked. Nothing does for a turn. */
export function prior({ memory }: { readonly memory?: Memory }, now: number): number {
  if (memory === undefined) return 0;
  const age = Math.max(0, now - memory.lastSeenAt) / DAY;
  const sum =
    RECENT * Math.exp(-age / RECENT_DAYS) +
    CONFIDENCE * (memory.confidence - USUAL_CONFIDENCE) +
    (memory.pinned ? PINNED : 0) +
    usage(memory.usage);
  return Math.min(MOST, Math.max(-MOST, sum));
}

function usage({ retrieved, cited, ignored }: Memory["usage"]): number {
  const isUseless = cited === 0 && retrieved >= OFTEN_RETRIEVED;
  return CITED * Math.log2(1 + cited) - IGNORED * Math.log2(1 + ignored) - (isUseless ? NEVER_CITED : 0);
}
