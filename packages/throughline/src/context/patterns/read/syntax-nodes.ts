import { wordSet } from "../../../language/words.ts";
import type { SyntaxNode } from "../../../ports/workspace.ts";

// Access to syntax trees of any language.

/** First child in this field: `name`, `body`. */
export function part(node: SyntaxNode | undefined, field: string): SyntaxNode | undefined {
  return node?.children.find((child) => child.field === field);
}

/** All children in this field. */
export function parts(node: SyntaxNode | undefined, field: string): readonly SyntaxNode[] {
  return node?.children.filter((child) => child.field === field) ?? [];
}

/** Children that are code, without brackets, keywords and comments. */
export function codeChildren(node: SyntaxNode | undefined): readonly SyntaxNode[] {
  return node?.children.filter((child) => child.isNamed && !child.type.includes("comment")) ?? [];
}

export function childOfType(node: SyntaxNode | undefined, ...types: readonly string[]): SyntaxNode | undefined {
  return node?.children.find((child) => types.includes(child.type));
}

/** The node and its descendants in the order of the text. Children of nodes that `enter` refuses are skipped. */
export function descendants(node: SyntaxNode, enter: (node: SyntaxNode) => boolean = () => true): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const open = [node];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    found.push(next);
    if (!enter(next)) continue;
    for (let i = next.children.length - 1; i >= 0; i -= 1) {
      const child = next.children[i];
      if (child !== undefined) open.push(child);
    }
  }
  return found;
}

/** Content of a string literal. Undefined for other nodes and for strings with interpolation. */
export function stringValue(node: SyntaxNode | undefined): string | undefined {
  if (node === undefined || !/string/.test(node.type)) return undefined;
  const content = node.children.filter((child) => child.isNamed && !/^string_(?:start|end)$/.test(child.type));
  if (content.some((child) => !/fragment|content|escape/.test(child.type))) return undefined;
  if (content.length > 0) return content.map((child) => child.text).join("");
  return /^(?:""|''|``)$/.test(node.text) ? "" : undefined;
}

// Kinds of syntax nodes by their names in the grammars of all languages. No name has two meanings.

export const CALLS: ReadonlySet<string> = wordSet(`
  call_expression call method_invocation new_expression object_creation_expression macro_invocation`);

export const FUNCTIONS: ReadonlySet<string> = wordSet(`
  function_declaration generator_function_declaration method_definition function_definition method_declaration
  function_item`);

export const LAMBDAS: ReadonlySet<string> = wordSet(`
  arrow_function function_expression generator_function lambda lambda_expression func_literal closure_expression`);

export const CLASSES: ReadonlySet<string> = new Set([
  "class_declaration",
  "abstract_class_declaration",
  "class_definition",
  "record_declaration",
]);

export const CATCHES: ReadonlySet<string> = new Set(["catch_clause", "except_clause"]);
export const THROWS: ReadonlySet<string> = new Set(["throw_statement", "raise_statement"]);
export const RETURNS: ReadonlySet<string> = new Set(["return_statement", "return_expression"]);
export const CHOICES: ReadonlySet<string> = wordSet(
  "if_statement if_expression ternary_expression match_expression switch_statement",
);
/** Wrappers that do not change the meaning of an expression. */
const WRAPPERS: ReadonlySet<string> = wordSet(`
  await_expression await non_null_expression parenthesized_expression try_expression as_expression
  satisfies_expression expression_list`);
/** Bindings, with the fields of the name and of the value. */
export const BINDINGS: ReadonlyMap<string, readonly [name: string, value: string]> = new Map([
  ["variable_declarator", ["name", "value"]],
  ["assignment", ["left", "right"]],
  ["short_var_declaration", ["left", "right"]],
  ["let_declaration", ["pattern", "value"]],
]);

const WHOLES = ["object", "operand", "value", "path", "scope"];
const NAMES = ["property", "attribute", "field", "name"];
const MEMBERS: ReadonlySet<string> = wordSet(`
  member_expression attribute selector_expression field_expression scoped_identifier method_invocation
  qualified_type scoped_type_identifier`);
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

/** Calls in any language that are too common to characterize a project. */
const TRIVIAL: ReadonlySet<string> = new Set(
  `map filter reduce push pop shift unshift join slice splice concat includes indexOf lastIndexOf keys values entries has get set add
  forEach some every find findIndex findLast findLastIndex at sort toSorted reverse split trim trimStart trimEnd replace replaceAll startsWith endsWith
  toLowerCase toUpperCase toString toFixed padStart padEnd repeat charCodeAt charAt codePointAt match matchAll test exec fill flat
  flatMap from of isArray freeze assign fromEntries delete clear size length String Number Boolean Array Object Map Set Date Error
  TypeError RangeError Promise RegExp Symbol BigInt parseInt parseFloat isNaN isInteger isFinite min max floor ceil round abs sqrt log
  stringify then catch finally all allSettled race resolve reject bind call apply next return throw now random
  append extend items update copy len str int float list dict tuple set range print isinstance super format encode decode type sorted enumerate
  zip any sum open getattr setattr hasattr lower upper strip index count insert remove repr
  make new cap panic Sprintf Println Printf Errorf Error String Len Close Lock Unlock
  clone into to_string to_owned unwrap expect iter into_iter collect as_str as_ref as_mut is_some is_none is_empty Some Ok Err None vec format
  println eprintln write writeln borrow unwrap_or unwrap_or_default default push_str chars lines cloned copied
  equals hashCode getClass isEmpty stream toList put contains valueOf println getName getId ArrayList HashMap orElse
  require import import.meta structuredClone setTimeout clearTimeout`.split(/\s+/),
);

export function isTrivialCall(name: string): boolean {
  return name.length < 3 || TRIVIAL.has(name);
}
