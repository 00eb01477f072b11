import { omitUndefined } from "../../message/read-json.ts";
import type { StaleSpan, Turn } from "../../ports/memory.ts";
import { currentText, joinSpans } from "./current-text.ts";
import type { Outdated } from "./find-outdated.ts";
import { outdatedSpans } from "./outdated-spans.ts";

/**
 * A turn with what is outdated in it marked, since when that is known. Where nothing is left that says something, all of it
 * is outdated. What was marked before keeps its time.
 */
export function markStale(turn: Turn, outdated: Outdated, since: number): Turn {
  if (turn.staleSince !== undefined) return turn;
  if (outdated.spans === undefined) return { ...turn, staleSince: since };
  const spans = [...(turn.staleSpans ?? []), ...outdated.spans.map((span) => ({ ...span, since }))];
  const staleSpans = joinSpans(spans).map((span): StaleSpan => ({ ...span, since: sinceWhen(span, spans) }));
  const staleSince = currentText(turn.text, staleSpans) === "" ? since : undefined;
  return omitUndefined({ ...turn, staleSpans, staleSince });
}

/** The first that was known of a stretch. */
function sinceWhen(
  { start, end }: { readonly start: number; readonly end: number },
  spans: readonly StaleSpan[],
): number {
  return Math.min(...spans.filter((span) => span.start >= start && span.end <= end).map(({ since }) => since));
}

/** A new turn with what it repeats of what it corrects marked. */
export function markOwnSpans(turn: Turn): Turn {
  const spans = outdatedSpans(turn.text);
  return spans.length === 0 ? turn : markStale(turn, { turnId: turn.id, spans }, turn.at ?? turn.createdAt);
}
