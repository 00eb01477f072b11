import type { Memory, Turn } from "../../../ports/memory.ts";

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
/** What is known to be outdated stands behind all that is not much worse. */
const STALE = 2;

/** What speaks for or against a memory or a turn whatever is asked. */
export function prior(document: { readonly memory?: Memory; readonly turn?: Turn }, now: number): number {
  const { memory, turn } = document;
  if (memory === undefined) return isStale(turn, now) ? -STALE : 0;
  const age = Math.max(0, now - memory.lastSeenAt) / DAY;
  const sum =
    RECENT * Math.exp(-age / RECENT_DAYS) +
    CONFIDENCE * (memory.confidence - USUAL_CONFIDENCE) +
    (memory.pinned ? PINNED : 0) +
    usage(memory.usage);
  return Math.min(MOST, Math.max(-MOST, sum));
}

export function isStale(turn: Turn | undefined, now: number): boolean {
  return turn?.staleSince !== undefined && turn.staleSince <= now;
}

function usage({ retrieved, cited, ignored }: Memory["usage"]): number {
  const isUseless = cited === 0 && retrieved >= OFTEN_RETRIEVED;
  return CITED * Math.log2(1 + cited) - IGNORED * Math.log2(1 + ignored) - (isUseless ? NEVER_CITED : 0);
}
