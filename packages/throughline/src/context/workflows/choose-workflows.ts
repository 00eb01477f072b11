import type { SessionRuns, StepRun } from "./run-recorder.ts";

/** A recurring sequence of steps, named by its goal. */
interface NamedSequence extends SequencePattern {
  readonly name: string;
}

/** A workflow: its own sequence, and the steps that a variant adds at its end. */
export interface MinedWorkflow extends NamedSequence {
  /** The steps that recur in this order. */
  readonly core: readonly string[];
}

/** Names of workflows by the steps that reach their goal, the most far-reaching goal first. */
const GOALS: readonly { readonly name: string; readonly steps: readonly string[] }[] = [
  { name: "rollback", steps: ["rollback"] },
  { name: "deploy", steps: ["prod", "stage", "deploy"] },
  { name: "release", steps: ["publish", "release", "tag"] },
  { name: "migrate", steps: ["migrate"] },
  { name: "pr", steps: ["pr"] },
  { name: "push", steps: ["push"] },
  { name: "commit", steps: ["commit"] },
];
/** Steps that may follow the goal within the same workflow. */
const AFTERWARDS = new Set(["verify", "ci", "tag", "merge"]);
const CHECKS = new Set(["format", "lint", "typecheck", "test", "build", "e2e", "check"]);

/** Minimum number of times, or of sessions, for a recurring sequence. */
const TIMES = 3;
const SESSIONS = 2;
/** Minimum evidence for a workflow without a named goal. */
const UNNAMED = { steps: 3, times: 5, sessions: 3 };
/** Minimum share of all cases for a longer sequence to be chosen. */
const USUAL = 0.4;
/** A sequence without a goal has to be this many times more frequent than its other orders. */
const ORDERED = 1.5;
const MAX_WORKFLOWS = 6;
/** Minimum share of common steps of two variants of one workflow. */
const VARIANT = 0.5;

/**
 * Finds recurring workflows in sessions, most frequent first: for each goal the longest usual sequence, and the checks
 * between two changes.
 */
export function chooseWorkflows(sessions: readonly SessionRuns[]): readonly MinedWorkflow[] {
  const whole = sessions.map(({ sessionId, runs }) => ({ sessionId, steps: stepsOf(runs) }));
  const between = sessions.flatMap(({ sessionId, runs }) =>
    splitAtEdits(runs).map((piece) => ({ sessionId, steps: stepsOf(piece) })),
  );
  const chosen = [
    ...towardsGoals(mineSequences(whole, { isFrequent })),
    ...withoutGoal(mineSequences(between, { isFrequent })),
  ];
  const ranked = chosen
    .filter((one) => !chosen.some((other) => isCoveredBy(one, other)))
    .sort((a, b) => b.times - a.times || (a.name < b.name ? -1 : 1));
  return mergeVariants(ranked).slice(0, MAX_WORKFLOWS);
}

/**
 * Merges variants of one workflow: sequences that share most of their steps. The most frequent one stays, with the
 * steps that a variant adds after the last common one.
 */
function mergeVariants(ranked: readonly NamedSequence[]): readonly MinedWorkflow[] {
  const merged: MinedWorkflow[] = [];
  for (const one of ranked) {
    const at = merged.findIndex(({ steps }) => isVariant(one.steps, steps));
    const known = merged[at];
    if (known === undefined) merged.push({ ...one, core: one.steps });
    else merged[at] = { ...known, steps: [...known.steps, ...stepsBehind(one.steps, known.steps)] };
  }
  return merged;
}

function isVariant(one: readonly string[], other: readonly string[]): boolean {
  const common = one.filter((step) => other.includes(step)).length;
  return common > VARIANT * Math.min(one.length, other.length);
}

/** Steps of a variant after the last step of the other one. */
function stepsBehind(variant: readonly string[], steps: readonly string[]): readonly string[] {
  const end = variant.indexOf(steps.at(-1) ?? "");
  return end < 0 ? [] : variant.slice(end + 1).filter((step) => !steps.includes(step));
}

/** Step names without consecutive repetitions. */
export function stepsOf(runs: readonly Pick<StepRun, "step">[]): readonly string[] {
  return runs.map(({ step }) => step).filter((step, at, all) => step !== all[at - 1]);
}

function isFrequent({ times, sessions }: SequencePattern): boolean {
  return times >= TIMES || sessions >= SESSIONS;
}

/** Splits runs at changes to files. */
function splitAtEdits(runs: readonly StepRun[]): readonly StepRun[][] {
  const pieces: StepRun[][] = [];
  for (const run of runs) {
    const last = pieces.at(-1);
    if (last === undefined || run.edited !== undefined) pieces.push([run]);
    else last.push(run);
  }
  return pieces;
}

function towardsGoals(patterns: readonly SequencePattern[]): NamedSequence[] {
  return GOALS.flatMap(({ name }) => {
    const ways = patterns.filter((pattern) => goalOf(pattern)?.name === name && endsAtGoal(pattern));
    const most = Math.max(0, ...ways.map(({ times }) => times));
    const [best] = ways.filter(({ times }) => times >= USUAL * most).sort(byLength);
    return best === undefined ? [] : [{ ...best, name }];
  });
}

function goalOf({ steps }: SequencePattern): (typeof GOALS)[number] | undefined {
  return GOALS.find((goal) => goal.steps.some((step) => steps.includes(step)));
}

function endsAtGoal(pattern: SequencePattern): boolean {
  const last = pattern.steps.at(-1) ?? "";
  return AFTERWARDS.has(last) || (goalOf(pattern)?.steps.includes(last) ?? false);
}

/** Workflows without a named goal: one for checks, and others with a clear order. */
function withoutGoal(patterns: readonly SequencePattern[]): NamedSequence[] {
  const ways = patterns.filter((pattern) => goalOf(pattern) === undefined);
  const checks = ways.filter(
    (way) => way.steps.every((step) => CHECKS.has(step)) && (way.steps.length > 2 || isOrdered(way, ways)),
  );
  const most = Math.max(0, ...checks.map(({ times }) => times));
  const [check] = checks.filter(({ times }) => times >= USUAL * most).sort(byLength);
  const others = ways.filter((way) => isPlain(way) && isOrdered(way, ways));
  const named = others.sort(byLength).map((way) => ({ ...way, name: way.steps.at(-1) ?? "" }));
  const first = named.filter((way, at) => named.findIndex(({ name }) => name === way.name) === at);
  return [...(check === undefined ? [] : [{ ...check, name: "check" }]), ...first];
}

function isPlain({ steps, times, sessions }: SequencePattern): boolean {
  const isLong = steps.length >= UNNAMED.steps && times >= UNNAMED.times && sessions >= UNNAMED.sessions;
  return isLong && !CHECKS.has(steps.at(-1) ?? "");
}

function isOrdered(way: SequencePattern, all: readonly SequencePattern[]): boolean {
  const own = new Set(way.steps);
  return all.every(
    (other) =>
      other === way ||
      other.steps.length !== way.steps.length ||
      !other.steps.every((step) => own.has(step)) ||
      way.times >= ORDERED * other.times,
  );
}

function byLength(a: SequencePattern, b: SequencePattern): number {
  return (
    b.steps.length - a.steps.length ||
    b.times - a.times ||
    b.sessions - a.sessions ||
    (a.steps.join(" ") < b.steps.join(" ") ? -1 : 1)
  );
}

/** True if another workflow contains all of its steps and is at least half as frequent. */
function isCoveredBy(one: NamedSequence, other: NamedSequence): boolean {
  return (
    one !== other &&
    other.steps.length > one.steps.length &&
    isWithin(one.steps, other.steps) &&
    other.times >= one.times / 2
  );
}

/** Consecutive steps of a session, without direct repetitions. */
export interface StepSequence {
  readonly sessionId: string;
  readonly steps: readonly string[];
}

/** A recurring sequence of steps. */
interface SequencePattern {
  readonly steps: readonly string[];
  /** Number of occurrences, without overlaps. */
  readonly times: number;
  readonly sessions: number;
}

interface MineOptions {
  /** Maximum number of other steps between two steps of a pattern. */
  readonly gap?: number;
  readonly longest?: number;
  /** True if a pattern is frequent enough. Longer patterns are never more frequent. */
  readonly isFrequent: (pattern: SequencePattern) => boolean;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Occurrences of a pattern by sequence number. */
type Places = ReadonlyMap<number, readonly Place[]>;

const MAX_GAP = 3;
const MAX_PATTERN_LENGTH = 8;
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
  { gap = MAX_GAP, longest = MAX_PATTERN_LENGTH, isFrequent }: MineOptions,
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
