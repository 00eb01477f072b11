import { isWithin, mineSequences, type SequencePattern } from "./mine-sequences.ts";
import type { SessionRuns, StepRun } from "./step-run.ts";

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

/** Longest first, then the most frequent. */
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
