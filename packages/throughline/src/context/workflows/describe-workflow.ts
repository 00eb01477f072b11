import type { RememberInput } from "../../memory/service/memory-api.ts";
import type { MinedWorkflow } from "./choose-workflows.ts";
import { stepsOf } from "./choose-workflows.ts";
import { findFixes, type StepFix } from "./find-fixes.ts";
import { generaliseCommand } from "./generalise-command.ts";
import { isWithin } from "./mine-sequences.ts";
import type { SessionRuns } from "./step-run.ts";

/** A procedure as it is remembered. */
export interface DescribedWorkflow {
  readonly name: string;
  /** What asks for it: `deploy_request`. */
  readonly trigger: string;
  readonly steps: readonly string[];
  /** `deploy: test→build→stage→verify→prod`. */
  readonly hint: string;
  /** The usual command of each step, with placeholders for what varies. */
  readonly details: Readonly<Record<string, string>>;
  readonly fixes: readonly StepFix[];
  readonly times: number;
  readonly sessions: number;
  /** When it was first and last done, as far as that is known. */
  readonly since?: number;
  readonly last?: number;
}

/** What a mined procedure looks like in the sessions that followed it. */
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

/** A procedure in the words in which it is remembered. Learned again, it is the same memory. */
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
