import type { SyntaxNode } from "../../../ports/workspace.ts";
import type { Role, Step } from "../code-unit.ts";
import {
  argumentsOf,
  BINDINGS,
  CALLS,
  CATCHES,
  CHOICES,
  callIn,
  codeChildren,
  descendants,
  LAMBDAS,
  part,
  pathOf,
  RETURNS,
  THROWS,
} from "./syntax-nodes.ts";

/** An action of code. */
export type CodeEvent =
  | {
      readonly kind: "call";
      readonly path: readonly string[];
      readonly args: readonly SyntaxNode[];
      readonly node: SyntaxNode;
    }
  /** A branch on these values: `result.ok`. */
  | {
      readonly kind: "check";
      readonly paths: readonly (readonly string[])[];
      readonly condition: SyntaxNode;
      readonly node: SyntaxNode;
    }
  | { readonly kind: "catch"; readonly node: SyntaxNode }
  | { readonly kind: "throw"; readonly path: readonly string[]; readonly node: SyntaxNode }
  | { readonly kind: "return"; readonly value: SyntaxNode | undefined; readonly node: SyntaxNode }
  | {
      readonly kind: "assign";
      readonly path: readonly string[];
      readonly value: SyntaxNode | undefined;
      readonly node: SyntaxNode;
    }
  /** Propagation of an error: `?` in Rust. */
  | { readonly kind: "propagate"; readonly path: readonly string[]; readonly node: SyntaxNode };

/** Events of code in the order of execution, and the call that gave each name its value. */
export interface CodeFlow {
  readonly events: readonly CodeEvent[];
  readonly bound: ReadonlyMap<string, readonly string[]>;
}

/** @param isApart Returns true for nodes that are read separately. */
export function readFlow(roots: readonly SyntaxNode[], isApart: (node: SyntaxNode) => boolean): CodeFlow {
  const events: CodeEvent[] = [];
  const bound = new Map<string, readonly string[]>();
  const visit = (node: SyntaxNode): void => {
    if (isApart(node)) return;
    if (CATCHES.has(node.type)) events.push({ kind: "catch", node });
    // A function that is passed to a call is executed by the callee.
    const handed = CALLS.has(node.type) ? argumentsOf(node).filter(({ type }) => LAMBDAS.has(type)) : [];
    for (const child of node.children.flatMap((one) => (one.field === "arguments" ? one.children : [one]))) {
      if (!handed.includes(child)) visit(child);
      if (CHOICES.has(node.type) && isCondition(child)) events.push(readCheck(node, child));
    }
    const event = readEvent(node);
    if (event !== undefined) events.push(event);
    for (const one of handed) visit(one);
    bind(node, bound);
  };
  for (const root of roots) visit(root);
  return { events, bound };
}

/** Event of a node, after those of its children, because arguments are evaluated before a call. */
function readEvent(node: SyntaxNode): CodeEvent | undefined {
  if (CALLS.has(node.type)) return { kind: "call", path: pathOf(node), args: argumentsOf(node), node };
  if (THROWS.has(node.type)) return { kind: "throw", path: pathOf(codeChildren(node)[0]), node };
  if (RETURNS.has(node.type)) return { kind: "return", value: codeChildren(node)[0], node };
  if (node.type === "assignment_expression") {
    return { kind: "assign", path: pathOf(part(node, "left")), value: part(node, "right"), node };
  }
  if (node.type === "try_expression") return { kind: "propagate", path: pathOf(node), node };
  // A statement that is treated as a call.
  if (node.type === "assert_statement") return { kind: "call", path: ["assert"], args: codeChildren(node), node };
  return undefined;
}

function isCondition({ field }: SyntaxNode): boolean {
  return field === "condition" || field === "value";
}

function readCheck(node: SyntaxNode, condition: SyntaxNode): CodeEvent {
  const paths = descendants(condition)
    .map(pathOf)
    .filter((path) => path.length > 1);
  return { kind: "check", paths, condition, node };
}

function bind(node: SyntaxNode, bound: Map<string, readonly string[]>): void {
  const fields = BINDINGS.get(node.type);
  const call = fields === undefined ? undefined : callIn(part(node, fields[1]));
  const pattern = fields === undefined ? undefined : part(node, fields[0]);
  if (call === undefined || pattern === undefined) return;
  for (const name of descendants(pattern)) {
    if (name.children.length === 0 && /identifier/.test(name.type)) bound.set(name.text, pathOf(call));
  }
}

/** Surroundings of an event, for its interpretation. */
export interface Scope {
  readonly language: string;
  readonly role: Role;
  /** Packages that the file imports. */
  readonly packages: readonly string[];
  /** Names of the function's parameters. */
  readonly parameters: readonly string[];
  /** Call path that each name got its value from. */
  readonly bound: ReadonlyMap<string, readonly string[]>;
}

/** Returns the step of an event, or undefined if it does not recognize it. */
export type Recognizer = (event: CodeEvent, scope: Scope) => Step | undefined;

export const SCRIPTS: readonly string[] = ["typescript", "tsx", "javascript"];

export function isScript({ language }: Pick<Scope, "language">): boolean {
  return SCRIPTS.includes(language);
}
