import { DAY } from "../../../internal/time.ts";
import type { Memory } from "../../../ports/memory.ts";

/** Maximum absolute value of a prior. It orders hits of about equal score and cannot outweigh a better match. */
export const MAX_PRIOR = 0.5;
const RECENT = 0.2;
const RECENT_DAYS = 60;
const PINNED = 0.3;
const CONFIDENCE = 0.4;
const USUAL_CONFIDENCE = 0.75;
/** Per doubling of the number of citations or ignores. */
const CITED = 0.1;
const IGNORED = 0.1;
/** Penalty for a memory that was retrieved this often and never cited. */
const OFTEN_RETRIEVED = 5;
const NEVER_CITED = 0.05;

/** Query-independent part of the rank of a memory; 0 for a turn. */
export function prior({ memory }: { readonly memory?: Memory }, now: number): number {
  if (memory === undefined) return 0;
  const age = Math.max(0, now - memory.lastSeenAt) / DAY;
  const sum =
    RECENT * Math.exp(-age / RECENT_DAYS) +
    CONFIDENCE * (memory.confidence - USUAL_CONFIDENCE) +
    (memory.pinned ? PINNED : 0) +
    usage(memory.usage);
  return Math.min(MAX_PRIOR, Math.max(-MAX_PRIOR, sum));
}

function usage({ retrieved, cited, ignored }: Memory["usage"]): number {
  const isUseless = cited === 0 && retrieved >= OFTEN_RETRIEVED;
  return CITED * Math.log2(1 + cited) - IGNORED * Math.log2(1 + ignored) - (isUseless ? NEVER_CITED : 0);
}
