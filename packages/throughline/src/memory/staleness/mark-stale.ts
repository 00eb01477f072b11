import { omitUndefined, sameJson } from "../../internal/json.ts";
import type { StaleMark, StaleSpan, Turn } from "../../ports/memory.ts";
import { currentText, joinSpans } from "./current-text.ts";
import type { Outdated } from "./find-outdated.ts";
import { outdatedSpans } from "./outdated-spans.ts";

/** The turn or memory that outdates a text, and its time. */
export interface Cause {
  readonly since: number;
  readonly by?: string;
}

/** Adds a mark to a turn. If too few words are left, the whole turn is outdated. Existing marks keep their time. */
export function markStale(turn: Turn, { spans }: Outdated, { since, by }: Cause): Turn {
  const known = marksOf(turn);
  const isKnown = known.some((mark) => mark.by === by && sameJson(mark.spans ?? [], spans ?? []));
  return isKnown ? turn : withMarks(turn, [...known, omitUndefined({ by, since, spans })]);
}

/** Marks the parts of a new turn that repeat what it corrects. */
export function markOwnSpans(turn: Turn): Turn {
  const spans = outdatedSpans(turn.text);
  const { id, at: since = turn.createdAt } = turn;
  return spans.length === 0 ? turn : markStale(turn, { turnId: id, spans }, { since, by: id });
}

/** A turn without the marks of some turns or memories; the turn itself if there are none. */
export function withoutMarksBy(turn: Turn, causes: ReadonlySet<string>): Turn {
  const { marks = [] } = turn;
  const kept = marks.filter(({ by }) => by === undefined || !causes.has(by));
  return kept.length === marks.length ? turn : withMarks(turn, kept);
}

/** All marks of a turn. The cause of marks from older versions is unknown. */
function marksOf({ marks, staleSpans = [], staleSince }: Turn): readonly StaleMark[] {
  if (marks !== undefined) return marks;
  const parts = staleSpans.map(({ start, end, since }): StaleMark => ({ since, spans: [{ start, end }] }));
  return staleSince === undefined ? parts : [...parts, { since: staleSince }];
}

/** A turn with exactly these marks, and the fields derived from them. */
function withMarks(turn: Turn, marks: readonly StaleMark[]): Turn {
  let staleSpans: readonly StaleSpan[] = [];
  let staleSince: number | undefined;
  for (const { since, spans } of marks) {
    if (staleSince !== undefined) break;
    if (spans !== undefined) staleSpans = join([...staleSpans, ...spans.map((span) => ({ ...span, since }))]);
    if (spans === undefined || currentText(turn.text, staleSpans) === "") staleSince = since;
  }
  return omitUndefined({
    ...turn,
    staleSince,
    staleSpans: staleSpans.length === 0 ? undefined : staleSpans,
    marks: marks.length === 0 ? undefined : marks,
  });
}

/** Merges overlapping spans. The earliest time counts. */
function join(spans: readonly StaleSpan[]): readonly StaleSpan[] {
  return joinSpans(spans).map(({ start, end }) => {
    const within = spans.filter((span) => span.start >= start && span.end <= end);
    return { start, end, since: Math.min(...within.map(({ since }) => since)) };
  });
}
