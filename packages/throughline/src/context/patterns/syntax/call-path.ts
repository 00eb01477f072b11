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
/** The fields that say what is called, made, or meant by a type with parameters. */
const CALLED = ["function", "constructor", "macro", "type", "name"];
const NESTED: ReadonlySet<string> = new Set([...CALLS, "generic_function", "generic_type"]);

/** The names that lead to what is called: `res.status(201).json(x)` is `res`, `status`, `json`. */
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
  // What is not known by a name has none: `[1, 2].map` is "", `map`.
  return [codeChildren(node).length === 0 && /^[\p{L}_$@][\p{L}\p{N}_$]*$/u.test(node.text) ? node.text : ""];
}

export function argumentsOf(call: SyntaxNode): readonly SyntaxNode[] {
  return codeChildren(part(call, "arguments"));
}

/** The call that an expression comes down to: `await f(x)` is `f(x)`. */
export function callIn(node: SyntaxNode | undefined): SyntaxNode | undefined {
  if (node === undefined || CALLS.has(node.type)) return node;
  return WRAPPERS.has(node.type) ? callIn(codeChildren(node)[0]) : undefined;
}
