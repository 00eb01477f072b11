import type { SyntaxNode } from "../../../ports/workspace.ts";
import { isTrivialCall } from "../concepts/trivial-calls.ts";
import { argumentsOf, CALLS, childOfType, codeChildren, descendants, LAMBDAS, part, pathOf } from "../syntax/nodes.ts";

/** A constant of a file that a call or a literal of a type creates: `var showCmd = &cobra.Command{…}`. */
export interface ValueCode {
  readonly name: string;
  readonly node: SyntaxNode;
  /** Called function or type: `cobra.Command`. */
  readonly maker: string;
  /** Names of the given fields. */
  readonly fields: readonly string[];
}

/** Nodes that contain the declarations of a file. */
const CONTAINERS =
  /^(?:export_statement|lexical_declaration|variable_declaration|var_declaration|var_spec_list|expression_statement)$/;
const DECLARATIONS: ReadonlyMap<string, readonly [name: string, value: string]> = new Map([
  ["variable_declarator", ["name", "value"]],
  ["var_spec", ["name", "value"]],
  ["assignment", ["left", "right"]],
  ["static_item", ["name", "value"]],
]);
const LITERALS: ReadonlySet<string> = new Set(["composite_literal", "struct_expression"]);
const OBJECTS: ReadonlySet<string> = new Set(["object", "literal_value", "field_initializer_list"]);
/** Wrappers around a created value: `&cobra.Command{…}`. */
const AROUND = /^(?:unary_expression|expression_list|reference_expression)$/;

export function findValues(root: SyntaxNode): readonly ValueCode[] {
  return declarationsIn(root).flatMap((node) => readValue(node) ?? []);
}

function declarationsIn(node: SyntaxNode): readonly SyntaxNode[] {
  return node.children.flatMap((child) => {
    if (DECLARATIONS.has(child.type)) return [child];
    return CONTAINERS.test(child.type) ? declarationsIn(child) : [];
  });
}

function readValue(node: SyntaxNode): ValueCode | undefined {
  const [nameField, valueField] = DECLARATIONS.get(node.type) ?? ["", ""];
  const name = part(node, nameField)?.text ?? "";
  const made = unwrap(part(node, valueField));
  if (made === undefined || !/^[\p{L}_]\w*$/u.test(name)) return undefined;
  const isCall = CALLS.has(made.type);
  // A function in a call is read as a function.
  const isFunction = isCall && argumentsOf(made).some(({ type }) => LAMBDAS.has(type));
  if (isFunction || !(isCall || LITERALS.has(made.type))) return undefined;
  const type = (part(made, "type") ?? part(made, "name"))?.text ?? "";
  const path = isCall ? pathOf(made) : type.split(/\.|::/);
  const last = path.at(-1) ?? "";
  if (path.length > 2 || !/^\w+$/.test(last) || (isTrivialCall(last) && last !== "New")) return undefined;
  return { name, node, maker: path.filter((one) => one !== "").join("."), fields: fieldsOf(made) };
}

function unwrap(node: SyntaxNode | undefined): SyntaxNode | undefined {
  return node !== undefined && AROUND.test(node.type) ? unwrap(codeChildren(node)[0]) : node;
}

/** Names of the fields in a literal, or in the first object of a call's arguments. */
function fieldsOf(made: SyntaxNode): readonly string[] {
  const object = childOfType(made, ...OBJECTS) ?? argumentsOf(made).find(({ type }) => OBJECTS.has(type));
  const keyed = codeChildren(object).flatMap((field) => {
    const key =
      part(field, "key") ?? part(field, "field") ?? (field.type === "keyed_element" ? field.children[0] : undefined);
    return key === undefined ? [] : [descendants(key).at(-1)?.text ?? ""];
  });
  const named = argumentsOf(made).flatMap((argument) =>
    argument.type === "keyword_argument" ? [part(argument, "name")?.text ?? ""] : [],
  );
  return [...new Set([...keyed, ...named])].filter((name) => /^\w+$/.test(name));
}
