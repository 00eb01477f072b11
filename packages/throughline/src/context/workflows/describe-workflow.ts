import { oneLine } from "../../internal/text.ts";
import { splitShell } from "../../ledger/read/read-shell.ts";
import type { RememberInput } from "../../memory/memory-api.ts";
import { isWithin, type MinedWorkflow, stepsOf } from "./choose-workflows.ts";
import type { SessionRuns, StepRun } from "./run-recorder.ts";

/** A workflow with the details that are saved. */
export interface DescribedWorkflow {
  readonly name: string;
  /** Request that triggers it: `deploy_request`. */
  readonly trigger: string;
  /** When its commands are run: "To deploy". */
  readonly when: string;
  readonly steps: readonly string[];
  /** Usual command of each step in order, with placeholders for the parts that vary. */
  readonly commands: readonly string[];
  /** The workflow on one line: `To deploy: pnpm test && ./deploy.sh staging`. */
  readonly hint: string;
  readonly fixes: readonly StepFix[];
  readonly times: number;
  readonly sessions: number;
  /** Times of its first and last run, if known. */
  readonly since?: number;
  readonly last?: number;
}

/** When the commands of a named workflow are run. */
const WHEN: ReadonlyMap<string, string> = new Map([
  ["rollback", "To roll back"],
  ["deploy", "To deploy"],
  ["release", "To release"],
  ["migrate", "To migrate the database"],
  ["pr", "For a pull request"],
  ["push", "Before a push"],
  ["commit", "Before a commit"],
  ["check", "To check a change"],
]);

export function describeWorkflow(mined: MinedWorkflow, sessions: readonly SessionRuns[]): DescribedWorkflow {
  const { name, steps, times } = mined;
  const followed = sessions.filter(({ runs }) => isWithin(mined.core, stepsOf(runs)));
  const runs = followed.flatMap((session) => session.runs);
  const commands = steps.map((step) => {
    const own = runs.filter((run) => run.step === step);
    const good = own.filter(({ outcome }) => outcome === "ok");
    return usualCommand((good.length > 0 ? good : own).map(({ command }) => command));
  });
  const days = followed.map(({ at }) => at).filter((at) => at > 0);
  const when = WHEN.get(name) ?? `To run ${name}`;
  const shown = commands.filter((command) => command !== "");
  return {
    name,
    trigger: `${name}_request`,
    when,
    steps,
    commands: shown,
    hint: `${when}: ${shown.join(" && ")}`,
    fixes: findFixes(followed, steps),
    times,
    sessions: mined.sessions,
    ...(days.length > 0 && { since: Math.min(...days), last: Math.max(...days) }),
  };
}

/**
 * The general form of a step's commands. If a part of it has no meaning without its value, the most frequent command.
 */
function usualCommand(commands: readonly string[]): string {
  const general = generalizeCommand(commands);
  if (!general.includes(placeholder("VALUE"))) return general;
  const [most] = [...Map.groupBy(commands, (command) => command)].sort(
    ([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1),
  );
  return generalizeCommand([most?.[0] ?? ""]);
}

/** Memory of a workflow. Learning the same workflow again updates the same memory. */
export function workflowMemory(workflow: DescribedWorkflow): RememberInput {
  const { name, trigger, when, commands, fixes, hint, times, sessions, since, last } = workflow;
  const often = `${times} times in ${sessions === 1 ? "one session" : `${sessions} sessions`}`;
  const seen = last === undefined ? often : `${often}, last ${dayOf(last)}`;
  return {
    kind: "workflow",
    text: [`${when} (${seen}):`, ...commands, ...fixes.map(fixLine)].join("\n"),
    key: trigger,
    title: name,
    levels: { summary: hint, compressed: hint, index: name },
    source: last === undefined ? {} : { at: last },
    ...(since !== undefined && { validFrom: since }),
  };
}

/** Calendar day of a time: `2026-05-04`. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function fixLine({ step, says, command, times }: StepFix): string {
  return `If ${step} fails with “${says}”: ${command} (helped ${times} times)`;
}

/** A command that repaired a failed step, each time after the same error. */
interface StepFix {
  readonly step: string;
  /** Error message. */
  readonly says: string;
  readonly command: string;
  readonly times: number;
}

/** Minimum number of times that the same command helped with the same error. Once is a coincidence. */
const MIN_TIMES = 2;
/** Maximum number of runs between a failure and its fix. */
const MAX_DISTANCE = 8;
const MAX_PER_STEP = 2;
const MAX_COMMAND_LENGTH = 100;
/** Steps that only check, unless they are run with a fix option. */
const CHECK_STEPS = new Set(["lint", "typecheck", "test", "build", "e2e", "check", "verify", "ci"]);
const REPAIRS = /(?:^|\s)(?:--fix\S*|--write|--unsafe|-w|-u|--update\S*)(?:\s|$)/;

/** Fixes of failures of these steps that worked repeatedly, the most frequent ones of each step. */
function findFixes(sessions: readonly SessionRuns[], steps: readonly string[]): readonly StepFix[] {
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
  if (end < 0 || end - failure > MAX_DISTANCE) return undefined;
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
  return outcome === "ok" && step !== failed && (!CHECK_STEPS.has(step) || REPAIRS.test(command));
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

const MAX_GENERAL_LENGTH = 160;
/** A value with a higher share of all cases is kept, not replaced by a placeholder. */
const USUAL = 0.5;
const MESSAGE_FLAG = /^(?:-m|-am|--message|--title|--body|--notes|-F|--body-file)$/;
const BRANCH_FLAG = /^(?:-b|-B|-c|-C|--create)$/;
const MAIN_BRANCH = /^(?:main|master|trunk|develop|HEAD|origin|upstream|-.*|.*[:@].*)$/;
const SHA = /(?<![\w-])(?=[a-f]*\d)[0-9a-f]{7,40}(?![\w-])/g;
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
const DATE = /(?<!\d)\d{4}-\d\d-\d\d(?:[T_ ]\d\d[:-]?\d\d(?:[:-]?\d\d)?Z?)?(?!\d)/g;
const DELIMITED = /[:/=@_.-]/;

/**
 * Generalizes the commands of a step: the most frequent form, with placeholders for the parts that vary.
 *
 * @example
 * generalizeCommand(["docker build -t app:1a2b3c4", "docker build -t app:5d6e7f8"]); // "docker build -t app:${SHA}"
 */
export function generalizeCommand(commands: readonly string[]): string {
  const all = commands.map(readWords).filter((words) => words.length > 0);
  const forms = [...Map.groupBy(all, formOf)].sort(
    ([a, x], [b, y]) => y.length - x.length || a.length - b.length || (a < b ? -1 : 1),
  );
  const [, alike = []] = forms[0] ?? [];
  const [first = []] = alike;
  const words = first.map((word, at) => {
    const values = alike.map((one) => one[at] ?? "");
    return wordOf(values, word.startsWith("-") ? undefined : first[at - 1]);
  });
  return words.map(quoted).join(" ").slice(0, MAX_GENERAL_LENGTH);
}

function readWords(command: string): readonly string[] {
  const words = splitShell(command).commands[0]?.words ?? [];
  const isGit = words[0] === "git";
  const bare = isGit && words[1] === "-C" ? ["git", ...words.slice(3)] : words;
  return bare.map((word, at) => withPlaceholders(word, bare, at));
}

/** Replaces values that always vary, such as messages, branches, ids and dates. */
function withPlaceholders(word: string, words: readonly string[], at: number): string {
  const before = words[at - 1] ?? "";
  if (MESSAGE_FLAG.test(before)) return placeholder("MESSAGE");
  if (words[0] === "git" && at > 1 && !word.startsWith("-")) {
    const isNamed = words[1] === "push" || BRANCH_FLAG.test(before);
    if (isNamed && !MAIN_BRANCH.test(word)) return placeholder("BRANCH");
  }
  return word.replace(UUID, placeholder("ID")).replace(DATE, placeholder("DATE")).replace(SHA, placeholder("SHA"));
}

/** Form of a command: program, flags and number of words. Commands of one form differ in single words. */
function formOf(words: readonly string[]): string {
  return [words[0], ...words.slice(1).map((word) => (word.startsWith("-") ? word.replace(/=.*/, "=") : "·"))].join(" ");
}

function wordOf(values: readonly string[], before: string | undefined): string {
  const counts = [...Map.groupBy(values, (value) => value)].sort(
    ([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1),
  );
  const [most = "", same = []] = counts[0] ?? [];
  if (counts.length === 1 || same.length > USUAL * values.length) return most;
  const start = sharedStart(values);
  const end = sharedStart(values.map((value) => [...value.slice(start.length)].reverse().join("")));
  const middles = values.map((value) => value.slice(start.length, value.length - end.length));
  const name = start.endsWith("/") && !start.includes(":") ? "PATH" : nameOf(middles, before);
  return `${start}${placeholder(name)}${[...end].reverse().join("")}`;
}

/** Common prefix of the values, up to a delimiter. */
function sharedStart(values: readonly string[]): string {
  const [first = ""] = values;
  let length = 0;
  while (length < first.length && values.every((value) => value[length] === first[length])) length += 1;
  while (length > 0 && !DELIMITED.test(first[length - 1] ?? "")) length -= 1;
  // A number or version is not split.
  return first.slice(0, length).replace(/(?:v|(?<![\d.]))[\d.]+$/, "");
}

/** Placeholder of a variable: `${NAME}`. */
export function placeholder(name: string): string {
  return `\${${name}}`;
}

function nameOf(values: readonly string[], before: string | undefined): string {
  const are = (form: RegExp) => values.every((value) => form.test(value));
  if (are(/^\d+$/)) return "N";
  if (are(/^(?:[0-9a-f]{3,40}|\$\{SHA\})$/)) return "SHA";
  if (are(/^v?\d+(?:\.\d+)+/)) return "VERSION";
  if (are(/^https?:/)) return "URL";
  if (are(/[/\\]|\.[a-z]{1,5}$/i)) return "PATH";
  const flag = /^--?([a-z][a-z-]*)=?$/i.exec(before ?? "")?.[1] ?? "";
  return flag.length > 1 ? flag.replaceAll("-", "_").toUpperCase() : flag === "t" ? "TAG" : "VALUE";
}

function quoted(word: string): string {
  return /\s/.test(word) || word === placeholder("MESSAGE") ? `"${word}"` : word;
}
