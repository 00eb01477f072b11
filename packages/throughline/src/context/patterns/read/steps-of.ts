import type { Role, Step } from "../code-unit.ts";
import { recogniseErrorHandling } from "../concepts/error-handling.ts";
import { recogniseResponse } from "../concepts/response.ts";
import type { Recognizer, Scope } from "../concepts/scope.ts";
import { recogniseAuth } from "../concepts/signature.ts";
import { recogniseTesting } from "../concepts/testing.ts";
import { isTrivialCall } from "../concepts/trivial-calls.ts";
import { recogniseValidation } from "../concepts/validation.ts";
import type { CodeEvent, CodeFlow } from "../syntax/read-events.ts";

/** Maximum number of steps of a unit. */
const MAX_STEPS = 60;

const RECOGNIZERS: readonly Recognizer[] = [
  recogniseTesting,
  recogniseValidation,
  recogniseResponse,
  recogniseErrorHandling,
];

export interface StepContext {
  readonly language: string;
  readonly role: Role;
  readonly packages: readonly string[];
  readonly parameters: readonly string[];
}

/** Steps of a flow of events, each once, in order. */
export function stepsOf({ events, bound }: CodeFlow, context: StepContext): readonly Step[] {
  const scope: Scope = { ...context, bound };
  return inOrder(events.flatMap((event) => stepOf(event, scope) ?? []));
}

function stepOf(event: CodeEvent, scope: Scope): Step | undefined {
  for (const recognise of RECOGNIZERS) {
    const step = recognise(event, scope);
    if (step !== undefined) return step;
  }
  if (event.kind !== "call") return undefined;
  const name = event.path.at(-1) ?? "";
  // A call of a fixture is the fixture.
  if (scope.role === "test" && event.path.length === 1 && scope.parameters.includes(name)) return undefined;
  if (scope.role === "endpoint" && event.path.length === 1 && recogniseAuth(name)) return "auth={check}";
  return isTrivialCall(name) ? undefined : `call=${calledName(event.path, scope)}`;
}

/** `repo.save` of a module or type, but `save` of a local value. */
function calledName(path: readonly string[], { bound, parameters }: Scope): string {
  const [root = "", name = ""] = path;
  const isNamed =
    path.length === 2 && /^[\p{L}_]\w*$/u.test(root) && !/^(?:this|self|cls|super|crate|Self)$/.test(root);
  return isNamed && !bound.has(root) && !parameters.includes(root) ? `${root}.${name}` : (path.at(-1) ?? "");
}

/** Steps in the order of their first occurrence, with one response at the end. */
export function inOrder(steps: readonly Step[]): readonly Step[] {
  const answers = steps.filter((step) => step.startsWith("response="));
  const others = steps.filter((step) => !step.startsWith("response="));
  const answer = answers.find((step) => step === "response=json_envelope") ?? answers.at(-1);
  return [...new Set(others)].slice(0, MAX_STEPS).concat(answer ?? []);
}
