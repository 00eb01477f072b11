import type { Step } from "../code-unit.ts";
import { pathOf } from "../syntax/call-path.ts";
import { CALLS, FUNCTIONS } from "../syntax/kinds.ts";
import { descendants, part } from "../syntax/nodes.ts";
import type { ClassCode } from "./find-functions.ts";

/** Steps of a class: its decorators, base class, constructor and methods. */
export function classSteps({ node, base, marks }: ClassCode): readonly Step[] {
  const body = part(node, "body");
  const methods = [...(body === undefined ? [] : descendants(body, ({ type }) => !FUNCTIONS.has(type)))]
    .filter(({ type }) => FUNCTIONS.has(type) || type === "constructor_declaration")
    .map((method) => ({ name: part(method, "name")?.text ?? "", method }))
    // Private methods and special names are not part of its interface.
    .filter(({ name }) => name === "__init__" || name === "__call__" || /^[\p{L}$][\p{L}\p{N}_$]*$/u.test(name));
  const constructs = methods.some(({ name, method }) => isConstructor(name, method.type) && callsSuper(method));
  return [
    ...marks.map(({ path }): Step => `mark=${path.at(-1) ?? ""}`),
    ...(base === undefined ? [] : ([`extends=${base}`] as const)),
    ...(constructs ? (["constructor=super"] as const) : []),
    ...methods
      .filter(({ name, method }) => !isConstructor(name, method.type))
      .map(({ name }): Step => `method=${name}`),
  ];
}

function isConstructor(name: string, type: string): boolean {
  return name === "constructor" || name === "__init__" || type === "constructor_declaration";
}

function callsSuper(method: Parameters<typeof descendants>[0]): boolean {
  return descendants(method).some((node) => CALLS.has(node.type) && pathOf(node).includes("super"));
}
