import type { SyntaxNode } from "../../../ports/workspace.ts";
import { CALLS, WRAPPERS } from "./kinds.ts";
import { codeChildren, part } from "./nodes.ts";

const WHOLES = ["object", "operand", "value", "path", "scope"];
const NAMES = ["property", "attribute", "field", "name"];
const MEMBERS: ReadonlySet<string> = new Set([
  "member_expression",
  "attribute",
  "selector_expression",
  "field_expression",
  "scoped_identifier",
  "method_invocation",
  "qualified_type",
  "scoped_type_identifier",
]);
/** Fields with the callee of a call, constructor, macro or generic type. */
const CALLED = ["function", "constructor", "macro", "type", "name"];
const NESTED: ReadonlySet<string> = new Set([...CALLS, "generic_function", "generic_type"]);

/** Names of a call chain: `res.status(201).json(x)` is `res`, `status`, `json`. */
export function pathOf(node: SyntaxNode | undefined): readonly string[] {
  if (node === undefined) return [];
  if (MEMBERS.has(node.type)) {
    const whole = node.children.find(({ field = "" }) => WHOLES.includes(field));
    const name = node.children.findLast(({ field = "" }) => NAMES.includes(field));
    return [...pathOf(whole), ...(name === undefined ? [] : [name.text])];
  }
  if (NESTED.has(node.type))
    return pathOf(node.children.find(({ field = "" }) => CALLED.includes(field)) ?? node.children[0]);
  if (WRAPPERS.has(node.type)) return pathOf(codeChildren(node)[0]);
  // An expression without a name gives "": `[1, 2].map` is "", `map`.
  return [codeChildren(node).length === 0 && /^[\p{L}_$@][\p{L}\p{N}_$]*$/u.test(node.text) ? node.text : ""];
}

export function argumentsOf(call: SyntaxNode): readonly SyntaxNode[] {
  return codeChildren(part(call, "arguments"));
}

/** The call within wrappers: `await f(x)` is `f(x)`. */
export function callIn(node: SyntaxNode | undefined): SyntaxNode | undefined {
  if (node === undefined || CALLS.has(node.type)) return node;
  return WRAPPERS.has(node.type) ? callIn(codeChildren(node)[0]) : undefined;
}
