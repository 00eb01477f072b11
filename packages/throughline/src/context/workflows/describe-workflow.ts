import type { RememberInput } from "../../memory/service/memory-api.ts";
import type { MinedWorkflow } from "./choose-workflows.ts";
import { stepsOf } from "./choose-workflows.ts";
import { findFixes, type StepFix } from "./find-fixes.ts";
import { generaliseCommand } from "./generalise-command.ts";
import { isWithin } from "./mine-sequences.ts";
import type { SessionRuns } from "./step-run.ts";

/** A workflow with the details that are saved. */
export interface DescribedWorkflow {
  readonly name: string;
  /** Request that triggers it: `deploy_request`. */
  readonly trigger: string;
  readonly steps: readonly string[];
  /** `deploy: test→build→stage→verify→prod`. */
  readonly hint: string;
  /** Usual command of each step, with placeholders for the parts that vary. */
  readonly details: Readonly<Record<string, string>>;
  readonly fixes: readonly StepFix[];
  readonly times: number;
  readonly sessions: number;
  /** Times of its first and last run, if known. */
  readonly since?: number;
  readonly last?: number;
}

/** Describes a mined workflow by the sessions that contain it. */
export function describeWorkflow(mined: MinedWorkflow, sessions: readonly SessionRuns[]): DescribedWorkflow {
  const { name, steps, times } = mined;
  const followed = sessions.filter(({ runs }) => isWithin(steps, stepsOf(runs)));
  const runs = followed.flatMap((session) => session.runs);
  const details = steps.map((step): [string, string] => {
    const own = runs.filter((run) => run.step === step);
    const good = own.filter(({ outcome }) => outcome === "ok");
    return [step, generaliseCommand((good.length > 0 ? good : own).map(({ command }) => command))];
  });
  const when = followed.map(({ at }) => at).filter((at) => at > 0);
  return {
    name,
    trigger: `${name}_request`,
    steps,
    hint: `${name}: ${steps.join("→")}`,
    details: Object.fromEntries(details.filter(([, command]) => command !== "")),
    fixes: findFixes(followed, steps),
    times,
    sessions: mined.sessions,
    ...(when.length > 0 && { since: Math.min(...when), last: Math.max(...when) }),
  };
}

/** Memory of a workflow. Learning the same workflow again updates the same memory. */
export function workflowMemory(workflow: DescribedWorkflow): RememberInput {
  const { name, trigger, steps, details, times, sessions, since, last } = workflow;
  const often = `${times} times in ${sessions === 1 ? "one session" : `${sessions} sessions`}`;
  const text = [
    `How ${name} is done here (${trigger}): ${steps.join(" → ")}. Seen ${often}.`,
    ...steps.map((step) => (details[step] === undefined ? step : `${step}: ${details[step]}`)),
    ...workflow.fixes.map(fixLine),
  ].join("\n");
  return {
    kind: "workflow",
    text,
    key: trigger,
    title: name,
    steps,
    template: details,
    source: last === undefined ? {} : { at: last },
    ...(since !== undefined && { validFrom: since }),
  };
}

function fixLine({ step, says, ran, edited }: StepFix): string {
  const helped = [
    ...(ran.length > 0 ? [`ran ${ran.map((command) => `\`${command}\``).join(", ")}`] : []),
    ...(edited.length > 0 ? [`changed ${edited.join(", ")}`] : []),
  ];
  return `${step} failed${says === "" ? "" : ` (${says})`}; helped: ${helped.join("; ")}`;
}
