import { oneLine } from "../../internal/one-line.ts";
import type { SessionRuns, StepRun } from "./step-run.ts";

/** A failure of a step, and its fix. */
export interface StepFix {
  readonly step: string;
  /** Error message. Empty if there was none. */
  readonly says: string;
  /** Commands that ran between the failure and the next success, and names of files that were changed. */
  readonly ran: readonly string[];
  readonly edited: readonly string[];
  readonly times: number;
}

/** Maximum number of runs between a failure and its fix. */
const FARTHEST = 8;
const MAX_PER_STEP = 2;
const MAX_RAN = 3;
const MAX_EDITED = 3;
const MAX_COMMAND_LENGTH = 100;
/** Steps that only check, unless they are run with a fix option. */
const TELLS = new Set(["lint", "typecheck", "test", "build", "e2e", "check", "verify", "ci"]);
const REPAIRS = /(?:^|\s)(?:--fix\S*|--write|--unsafe|-w|-u|--update\S*)(?:\s|$)/;

/** Failures of these steps with the actions until the next success: the most frequent ones of each step. */
export function findFixes(sessions: readonly SessionRuns[], steps: readonly string[]): readonly StepFix[] {
  const wanted = new Set(steps);
  const found = sessions.flatMap(({ runs, at }) =>
    runs.flatMap((run, place) => {
      if (run.outcome !== "failed" || !wanted.has(run.step)) return [];
      const fix = fixOf(runs, place);
      return fix === undefined ? [] : [{ ...fix, at }];
    }),
  );
  const alike = [...Map.groupBy(found, ({ step, says }) => `${step}\n${signatureOf(says)}`).values()].map((group) => {
    const newest = group.reduce((best, one) => (one.at >= best.at ? one : best));
    return { ...newest, times: group.length };
  });
  const ranked = alike.sort(byWorth);
  return steps.flatMap((step) =>
    ranked
      .filter((fix) => fix.step === step)
      .slice(0, MAX_PER_STEP)
      .map(({ at: _, ...fix }) => fix),
  );
}

/** Commands and changes between a failure and the next success. Undefined if there were none. */
function fixOf(runs: readonly StepRun[], failure: number): StepFix | undefined {
  const { step, says = "" } = runs[failure] ?? { step: "" };
  const end = runs.findIndex((run, at) => at > failure && run.step === step && run.outcome === "ok");
  if (end < 0 || end - failure > FARTHEST) return undefined;
  // Repeated failures before the success count once, as the last one.
  const isLast = runs.slice(failure + 1, end).every((run) => run.step !== step || run.outcome !== "failed");
  if (!isLast) return undefined;
  const ran = runs
    .slice(failure + 1, end + 1)
    .flatMap((run, at) => [
      ...(run.aside ?? []),
      ...(failure + 1 + at < end && mayHelp(run, step) ? [run.command] : []),
    ])
    .filter((command) => isOfGit(runs[failure]?.command ?? "") || !isOfGit(command))
    .map((command) => oneLine(command, MAX_COMMAND_LENGTH));
  const edited = runs.slice(failure + 1, end + 1).flatMap((run) => run.edited ?? []);
  if (ran.length + edited.length === 0) return undefined;
  return {
    step,
    says,
    ran: [...new Set(ran)].slice(-MAX_RAN),
    edited: [...new Set(edited)].slice(-MAX_EDITED),
    times: 1,
  };
}

function mayHelp({ step, command, outcome }: StepRun, failed: string): boolean {
  return outcome === "ok" && step !== failed && (!TELLS.has(step) || REPAIRS.test(command));
}

/** Version control commands fix only failures of version control. */
function isOfGit(command: string): boolean {
  return /^(?:git|gh) /.test(command);
}

/** Frequent fixes first, then fixes by a command, because a command can be repeated. */
function byWorth(a: StepFix & { readonly at: number }, b: StepFix & { readonly at: number }): number {
  return (
    b.times - a.times ||
    Number(b.ran.length > 0) - Number(a.ran.length > 0) ||
    b.at - a.at ||
    (a.says < b.says ? -1 : a.says > b.says ? 1 : 0)
  );
}

/** Signature of an error message, the same for messages that differ in numbers, paths or ids. */
function signatureOf(says: string): string {
  return says
    .toLowerCase()
    .replace(/(?<![\w.~/\\-])(?:[\w.~-]*[/\\])+[\w.-]+/g, "PATH")
    .replace(/\b[0-9a-f]{7,}\b|\d+/g, "N")
    .replace(/\s+/g, " ");
}
