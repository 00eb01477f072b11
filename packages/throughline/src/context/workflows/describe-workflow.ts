import type { RememberInput } from "../../memory/memory-api.ts";
import { type MinedWorkflow, stepsOf } from "./choose-workflows.ts";
import { findFixes, type StepFix } from "./find-fixes.ts";
import { generaliseCommand, placeholder } from "./generalise-command.ts";
import { isWithin } from "./mine-sequences.ts";
import type { SessionRuns } from "./step-run.ts";

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

/** Describes a mined workflow by the sessions that contain it. */
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
  const general = generaliseCommand(commands);
  if (!general.includes(placeholder("VALUE"))) return general;
  const [most] = [...Map.groupBy(commands, (command) => command)].sort(
    ([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1),
  );
  return generaliseCommand([most?.[0] ?? ""]);
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
