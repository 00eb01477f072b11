import { omitUndefined } from "../../internal/json.ts";
import type { Memory, MemorySource } from "../../ports/memory.ts";
import { BY_HAND_BOOST, baselineConfidence, REPETITION_BOOST } from "./fact-rules.ts";

/** Places where a fact was said that are kept in mind. */
const MAX_SOURCES = 20;

/** A fact that is said once more. */
export interface Mention {
  readonly at: number;
  readonly source?: MemorySource;
}

/**
 * A fact that was said again: surer, mentioned once more, last seen now. The same message read twice says it once.
 *
 * @example
 * mergeFact(fact, { at: Date.now() }).confidence; // 0.9, where it was 0.75
 */
export function mergeFact<T extends Memory>(existing: T, { at, source }: Mention): T {
  const places = [existing.source, ...(existing.earlierSources ?? [])];
  if (source !== undefined && places.some((place) => isSamePlace(place, source))) return existing;
  const boost = existing.byHand ? BY_HAND_BOOST : REPETITION_BOOST;
  const isNewer = at >= existing.lastSeenAt;
  return {
    ...existing,
    confidence: Math.min(1, existing.confidence + boost),
    mentions: existing.mentions + 1,
    lastSeenAt: isNewer ? at : existing.lastSeenAt,
    ...(source === undefined ? {} : withSource(places, source, isNewer)),
  };
}

/** What was true, with its end, and what is true now. */
export interface Replacement {
  readonly closed: Memory;
  readonly current: Memory;
}

/**
 * Puts a fact in the place of the one that it contradicts. The old one ends where the new one begins, the new one starts
 * at the baseline of confidence and keeps the pin. What is said of the time before the known fact began goes before it.
 */
export function replaceFact(existing: Memory, next: Memory): Replacement {
  if (next.validFrom < existing.validFrom) {
    const closed = { ...next, validTo: existing.validFrom, supersededBy: existing.id, pinned: false };
    return { closed, current: omitUndefined({ ...existing, supersedes: existing.supersedes ?? next.id }) };
  }
  const current = {
    ...next,
    confidence: baselineConfidence(next.byHand),
    mentions: 1,
    pinned: existing.pinned || next.pinned,
    supersedes: existing.id,
  };
  return { closed: { ...existing, validTo: next.validFrom, supersededBy: next.id, pinned: false }, current };
}

/** The newest place first; what was told by hand has none. */
function withSource(places: readonly MemorySource[], source: MemorySource, isNewer: boolean): Partial<Memory> {
  const [current = source, ...earlier] = isNewer ? [source, ...places] : [places[0] ?? {}, source, ...places.slice(1)];
  const kept = earlier.filter(({ sessionId, messageId }) => (sessionId ?? messageId) !== undefined);
  return { source: current, ...(kept.length > 0 && { earlierSources: kept.slice(0, MAX_SOURCES) }) };
}

function isSamePlace(a: MemorySource, b: MemorySource): boolean {
  return b.messageId !== undefined && a.messageId === b.messageId && a.sessionId === b.sessionId;
}
