import type { SyntaxNode } from "../../../ports/workspace.ts";
import type { CodeUnit } from "../code-unit.ts";
import { caughtSteps } from "../concepts/caught-error.ts";
import { CATCHES } from "../syntax/kinds.ts";
import { childOfType, codeChildren, descendants, part } from "../syntax/nodes.ts";
import { readFlow } from "../syntax/read-events.ts";

const GO_CHECK = /^(\w*[eE]rr\w*)\s*!=\s*nil$/;

/** True if a node handles an error. */
export function isCaught(node: SyntaxNode, language: string): boolean {
  if (language !== "go") return CATCHES.has(node.type);
  return node.type === "if_statement" && GO_CHECK.test(part(node, "condition")?.text ?? "");
}

export function catchUnit(node: SyntaxNode): CodeUnit {
  const body = part(node, "body") ?? part(node, "consequence") ?? childOfType(node, "block");
  const { events } = readFlow(body === undefined ? [] : [body], () => false);
  return {
    role: "catch",
    name: "error",
    line: node.line,
    lines: 1,
    steps: [...new Set(caughtSteps(events, errorName(node)))],
  };
}

function errorName(node: SyntaxNode): string {
  const condition = GO_CHECK.exec(part(node, "condition")?.text ?? "")?.[1];
  if (condition !== undefined) return condition;
  const named = part(node, "parameter") ?? childOfType(node, "catch_formal_parameter") ?? part(node, "value");
  const alias = part(named, "name") ?? part(named, "alias") ?? named;
  const names = alias === undefined ? [] : descendants(alias).filter((one) => codeChildren(one).length === 0);
  return names.at(-1)?.text ?? "";
}
