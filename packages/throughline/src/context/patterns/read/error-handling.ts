import { wordSet } from "../../../language/words.ts";
import type { SyntaxNode } from "../../../ports/workspace.ts";
import type { Step } from "../code-unit.ts";
import { type CodeEvent, isScript, type Recognizer, type Scope } from "./read-events.ts";
import { argumentsOf, callIn, codeChildren, descendants, pathOf } from "./syntax-nodes.ts";

// Kinds of error handling, with one name for each.

const RESULT_MAKERS: ReadonlySet<string> = wordSet("ok err okAsync errAsync Ok Err success failure fail");
const RESULT_READERS: ReadonlySet<string> = wordSet(`
  isOk isErr isSuccess isFailure isError unwrapOr mapErr andThen unwrapErr _unsafeUnwrap`);
const RESULT_FIELDS: ReadonlySet<string> = wordSet("ok success isOk isErr isSuccess isFailure isError failed");
/** Common field names. They show the outcome only on a variable that is named like a result. */
const NAMED_FIELDS: ReadonlySet<string> = wordSet("error kind type tag _tag");
/** Names of values with such a field that are not results: responses, schema validations. */
const NO_RESULTS = /^(?:fetch|safeParse|safeParseAsync|request|axios|ky|got|res|response)$/i;
const RESULT_TYPE = /\b(?:Async)?Result(?:Async)?\s*</;

export const recognizeErrorHandling: Recognizer = (event, scope) => {
  if (isScript(scope)) return scriptErrors(event, scope);
  switch (scope.language) {
    case "go":
      return goErrors(event);
    case "rust":
      return event.kind === "propagate" ? "error_handling=result_propagated" : undefined;
    case "python":
      return exceptionStep(event, "try_except", "exception_raised");
    default:
      return event.kind === "call" && event.path.at(-1) === "orElseThrow"
        ? "error_handling=exception_thrown"
        : exceptionStep(event, "try_catch", "exception_thrown");
  }
};

/** True if a return type is a result type. */
export function returnsResult(returns: string): boolean {
  return RESULT_TYPE.test(returns);
}

type ErrorStep = `error_handling=${string}`;

function exceptionStep(event: CodeEvent, caught: string, thrown: string): ErrorStep | undefined {
  if (event.kind === "catch") return `error_handling=${caught}`;
  return event.kind === "throw" ? `error_handling=${thrown}` : undefined;
}

const TYPED = "error_handling=typed_result";

function scriptErrors(event: CodeEvent, scope: Scope): ErrorStep | undefined {
  if (event.kind === "check") return event.paths.some((path) => isResultField(path, scope)) ? TYPED : undefined;
  if (event.kind !== "call") return exceptionStep(event, "try_catch", "thrown_error");
  const { path, args } = event;
  const last = path.at(-1) ?? "";
  if (path.length === 1 && (RESULT_MAKERS.has(last) || RESULT_READERS.has(last)) && args.length > 0) return TYPED;
  if (path.length === 2 && /^(?:Result|Either|Outcome)$/.test(path[0] ?? "")) return TYPED;
  if (path.length > 1 && RESULT_READERS.has(last)) return TYPED;
  if (last === "match" && isMatch(args)) return TYPED;
  const isNext = last === "next" && path.length === 1 && args.length > 0 && scope.parameters.includes("next");
  return isNext ? "error_handling=next_error" : undefined;
}

/** `result.match(good, bad)` or `result.match({ ok, err })`, not `match` of a string. */
function isMatch(args: readonly SyntaxNode[]): boolean {
  const [first] = args;
  if (args.length === 1 && first?.type === "object")
    return /\b(?:ok|err|error|success|failure|left)\b/i.test(first.text);
  return args.length === 2 && args.every(({ type }) => /function|identifier/.test(type));
}

/** `result.ok`, if the value does not come from a schema or a request. */
function isResultField(path: readonly string[], { bound, parameters }: Scope): boolean {
  const [root = "", ...rest] = path;
  const field = rest.at(-1) ?? "";
  const isNamed = /result|outcome|either/i.test(root) && NAMED_FIELDS.has(field);
  if (NO_RESULTS.test(root) || !(RESULT_FIELDS.has(field) || isNamed)) return false;
  const origin = bound.get(root);
  if (origin === undefined) return rest.length === 1 && parameters.includes(root);
  return !origin.some((name) => NO_RESULTS.test(name));
}

function goErrors(event: CodeEvent): ErrorStep | undefined {
  if (event.kind !== "check") return undefined;
  const isError = /\berr\w*\s*!=\s*nil\b|\berrors\.(?:Is|As)\b/i.test(event.condition.text);
  const leaves = isError && descendants(event.node).some(({ type }) => type === "return_statement");
  return leaves ? "error_handling=error_returned" : undefined;
}

const LOGS = /^(?:console|log|logger|logging|logs|slog|tracing)$/i;

/** Steps of a catch block: the error is logged, checked, thrown again or converted to a return value. */
export function caughtSteps(events: readonly CodeEvent[], error: string): readonly Step[] {
  return events.flatMap((event): Step[] => {
    if (event.kind === "call" && LOGS.test(event.path[0] ?? "")) return ["log={logger}"];
    if (event.kind === "check") return ["check={kind}"];
    if (event.kind === "throw") return [throwStep(event.node, event.path, error)];
    return event.kind === "return" ? [returnStep(event.value, error)] : [];
  });
}

function throwStep(node: SyntaxNode, path: readonly string[], error: string): Step {
  if (path.length === 1 && path[0] === error) return "throw=rethrown";
  return mentions(node, error) ? "throw=wrapped" : "throw=replaced";
}

function returnStep(value: SyntaxNode | undefined, error: string): Step {
  // Go functions return several values, with the error last.
  const last = value?.type === "expression_list" ? codeChildren(value).at(-1) : value;
  const call = callIn(last);
  if (call !== undefined && pathOf(call).at(-1) === "Errorf") {
    return argumentsOf(call).some(({ text }) => text.includes("%w")) ? "return=wrapped" : "return=replaced";
  }
  if (last?.text === error) return "return=as_it_is";
  return last !== undefined && mentions(last, error) ? "return=told" : "return=fallback";
}

function mentions(node: SyntaxNode, name: string): boolean {
  return name !== "" && descendants(node).some((one) => one.children.length === 0 && one.text === name);
}
