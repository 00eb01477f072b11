/** Consecutive steps of a session, without direct repetitions. */
export interface StepSequence {
  readonly sessionId: string;
  readonly steps: readonly string[];
}

/** A recurring sequence of steps. */
export interface SequencePattern {
  readonly steps: readonly string[];
  /** Number of occurrences, without overlaps. */
  readonly times: number;
  /** Number of sessions with an occurrence. */
  readonly sessions: number;
}

interface MineOptions {
  /** Maximum number of other steps between two steps of a pattern. */
  readonly gap?: number;
  readonly longest?: number;
  /** True if a pattern is frequent enough. Longer patterns are never more frequent. */
  readonly isFrequent: (pattern: SequencePattern) => boolean;
}

/** Occurrence of a pattern in a sequence. */
interface Place {
  readonly start: number;
  readonly end: number;
}

/** Occurrences of a pattern by sequence number. */
type Places = ReadonlyMap<number, readonly Place[]>;

const GAP = 3;
const LONGEST = 8;
/** Maximum number of patterns to examine, which bounds the time for adversarial data. */
const MAX_PATTERNS = 20_000;

/**
 * Mines closed sequential patterns: steps that occur in the same order in many places, with at most `gap` others
 * between two of them, if no longer pattern occurs in all of these places. A pattern contains each step once. The order
 * of the sequences does not matter.
 *
 * @example
 * mineSequences([{ sessionId: "a", steps: ["test", "build"] }, { sessionId: "b", steps: ["test", "lint", "build"] }], {
 *   isFrequent: ({ times }) => times >= 2,
 * }); // [{ steps: ["test", "build"], times: 2, sessions: 2 }]
 */
export function mineSequences(
  sequences: readonly StepSequence[],
  { gap = GAP, longest = LONGEST, isFrequent }: MineOptions,
): readonly SequencePattern[] {
  const found: SequencePattern[] = [];
  const queue = [...firstPlaces(sequences)].sort(byName).map(([step, places]) => ({ steps: [step], places }));
  // Breadth first, so that the limit cuts off the longest patterns.
  for (let at = 0; at < queue.length && at < MAX_PATTERNS; at += 1) {
    const { steps, places } = queue[at] ?? { steps: [], places: new Map() };
    const pattern = { steps, times: countApart(places), sessions: countSessions(sequences, places) };
    if (!isFrequent(pattern)) continue;
    if (steps.length > 1) found.push(pattern);
    if (steps.length >= longest) continue;
    for (const [step, next] of [...extend(sequences, steps, places, gap)].sort(byName)) {
      queue.push({ steps: [...steps, step], places: next });
    }
  }
  return closedOnly(found);
}

function byName([a]: [string, unknown], [b]: [string, unknown]): number {
  return a < b ? -1 : 1;
}

function firstPlaces(sequences: readonly StepSequence[]): Map<string, Map<number, Place[]>> {
  const places = new Map<string, Map<number, Place[]>>();
  for (const [at, { steps }] of sequences.entries()) {
    for (const [position, step] of steps.entries()) add(places, step, at, { start: position, end: position });
  }
  return places;
}

/** Occurrences of the extended patterns, by their last step. */
function extend(
  sequences: readonly StepSequence[],
  steps: readonly string[],
  places: Places,
  gap: number,
): Map<string, Map<number, Place[]>> {
  const next = new Map<string, Map<number, Place[]>>();
  for (const [at, own] of places) {
    const sequence = sequences[at]?.steps ?? [];
    for (const { start, end } of own) {
      for (let position = end + 1; position <= end + 1 + gap && position < sequence.length; position += 1) {
        const step = sequence[position] ?? "";
        if (!steps.includes(step)) add(next, step, at, { start, end: position });
      }
    }
  }
  return next;
}

/** Adds an occurrence. Of several with the same end, only the shortest is kept. */
function add(places: Map<string, Map<number, Place[]>>, step: string, at: number, place: Place): void {
  const ofStep = places.get(step) ?? new Map<number, Place[]>();
  places.set(step, ofStep);
  const own = ofStep.get(at) ?? [];
  ofStep.set(at, own);
  const known = own.findIndex(({ end }) => end === place.end);
  if (known < 0) own.push(place);
  else if ((own[known]?.start ?? 0) < place.start) own[known] = place;
}

/** Number of occurrences that do not overlap. */
function countApart(places: Places): number {
  let times = 0;
  for (const own of places.values()) {
    let last = -1;
    for (const { start, end } of own.toSorted((a, b) => a.end - b.end)) {
      if (start <= last) continue;
      times += 1;
      last = end;
    }
  }
  return times;
}

function countSessions(sequences: readonly StepSequence[], places: Places): number {
  return new Set([...places.keys()].map((at) => sequences[at]?.sessionId)).size;
}

/** Drops patterns that a longer one contains and that are not more frequent. */
function closedOnly(patterns: readonly SequencePattern[]): readonly SequencePattern[] {
  return patterns.filter(
    (one) =>
      !patterns.some(
        (other) =>
          other.steps.length > one.steps.length &&
          other.times === one.times &&
          other.sessions === one.sessions &&
          isWithin(one.steps, other.steps),
      ),
  );
}

/** True if `part` is a subsequence of `whole`. */
export function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const step of whole) if (step === part[at]) at += 1;
  return at === part.length;
}
