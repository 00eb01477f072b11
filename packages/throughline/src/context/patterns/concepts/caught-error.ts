import type { SyntaxNode } from "../../../ports/workspace.ts";
import type { Step } from "../code-unit.ts";
import { argumentsOf, callIn, pathOf } from "../syntax/call-path.ts";
import { codeChildren, descendants } from "../syntax/nodes.ts";
import type { CodeEvent } from "../syntax/read-events.ts";

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
