import { oneLine } from "../../internal/text.ts";
import type { SessionRuns, StepRun } from "./step-run.ts";

/** A command that repaired a failed step, each time after the same error. */
export interface StepFix {
  readonly step: string;
  /** Error message. */
  readonly says: string;
  readonly command: string;
  readonly times: number;
}

/** Minimum number of times that the same command helped with the same error. Once is a coincidence. */
const MIN_TIMES = 2;
/** Maximum number of runs between a failure and its fix. */
const FARTHEST = 8;
const MAX_PER_STEP = 2;
const MAX_COMMAND_LENGTH = 100;
/** Steps that only check, unless they are run with a fix option. */
const TELLS = new Set(["lint", "typecheck", "test", "build", "e2e", "check", "verify", "ci"]);
const REPAIRS = /(?:^|\s)(?:--fix\S*|--write|--unsafe|-w|-u|--update\S*)(?:\s|$)/;

/** Fixes of failures of these steps that worked repeatedly, the most frequent ones of each step. */
export function findFixes(sessions: readonly SessionRuns[], steps: readonly string[]): readonly StepFix[] {
  const wanted = new Set(steps);
  const found = sessions.flatMap(({ runs, at }) =>
    runs.flatMap((run, place) => {
      if (run.outcome !== "failed" || !wanted.has(run.step) || run.says === undefined) return [];
      const command = fixOf(runs, place);
      return command === undefined ? [] : [{ step: run.step, says: run.says, command, at }];
    }),
  );
  const keyOf = ({ step, says, command }: (typeof found)[number]): string =>
    [step, signatureOf(says), command].join("\n");
  const repeated = [...Map.groupBy(found, keyOf).values()]
    .filter((group) => group.length >= MIN_TIMES)
    .map((group) => ({ ...group.reduce((best, one) => (one.at >= best.at ? one : best)), times: group.length }))
    .sort((a, b) => b.times - a.times || b.at - a.at || (a.says < b.says ? -1 : 1));
  return steps.flatMap((step) =>
    repeated
      .filter((fix) => fix.step === step)
      .slice(0, MAX_PER_STEP)
      .map(({ at: _, ...fix }) => fix),
  );
}

/**
 * The only command with an effect between a failure and the next success. Undefined if there were several, or if files
 * were changed: then the command is not the known cause of the success.
 */
function fixOf(runs: readonly StepRun[], failure: number): string | undefined {
  const { step, command: failed } = runs[failure] ?? { step: "", command: "" };
  const end = runs.findIndex((run, at) => at > failure && run.step === step && run.outcome === "ok");
  if (end < 0 || end - failure > FARTHEST) return undefined;
  const between = runs.slice(failure + 1, end + 1);
  if (between.some(({ edited }) => edited !== undefined)) return undefined;
  const ran = between
    .flatMap((run, at) => [
      ...(run.aside ?? []),
      ...(at < between.length - 1 && mayHelp(run, step) ? [run.command] : []),
    ])
    .filter((command) => isOfGit(failed) || !isOfGit(command))
    .map((command) => oneLine(command, MAX_COMMAND_LENGTH));
  const [only, ...others] = new Set(ran);
  return others.length === 0 ? only : undefined;
}

function mayHelp({ step, command, outcome }: StepRun, failed: string): boolean {
  return outcome === "ok" && step !== failed && (!TELLS.has(step) || REPAIRS.test(command));
}

/** True for version control commands. They fix only failures of version control. */
export function isOfGit(command: string): boolean {
  return /^(?:git|gh|glab) /.test(command);
}

/** Signature of an error message, the same for messages that differ in numbers, paths or ids. */
function signatureOf(says: string): string {
  return says
    .toLowerCase()
    .replace(/(?<![\w.~/\\-])(?:[\w.~-]*[/\\])+[\w.-]+/g, "PATH")
    .replace(/\b[0-9a-f]{7,}\b|\d+/g, "N")
    .replace(/\s+/g, " ");
}
