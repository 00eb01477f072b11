import { omitUndefined } from "../../../internal/json.ts";
import type { SyntaxNode } from "../../../ports/workspace.ts";
import {
  argumentsOf,
  CALLS,
  CLASSES,
  childOfType,
  codeChildren,
  descendants,
  FUNCTIONS,
  isTrivialCall,
  LAMBDAS,
  part,
  pathOf,
} from "./syntax-nodes.ts";

/** A decorator, annotation or attribute. */
export interface Mark {
  readonly path: readonly string[];
  readonly args: readonly SyntaxNode[];
}

export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly marks: readonly Mark[];
  readonly value?: SyntaxNode;
}

/** A named function or method, with its surroundings. */
export interface FunctionCode {
  readonly name: string;
  readonly node: SyntaxNode;
  readonly marks: readonly Mark[];
  readonly parameters: readonly Parameter[];
  readonly returns: string;
  readonly body: readonly SyntaxNode[];
  readonly owner?: ClassCode;
}

export interface ClassCode {
  readonly name: string;
  readonly node: SyntaxNode;
  readonly marks: readonly Mark[];
  readonly base?: string;
}

export interface Definitions {
  readonly functions: readonly FunctionCode[];
  readonly classes: readonly ClassCode[];
}

const MARKS: ReadonlySet<string> = new Set(["decorator", "attribute_item", "annotation", "marker_annotation"]);
const NAMED_VALUES: ReadonlyMap<string, string> = new Map([
  ["variable_declarator", "name"],
  ["public_field_definition", "name"],
  ["field_definition", "property"],
  ["pair", "key"],
  ["assignment_expression", "left"],
]);

interface FunctionPlace {
  readonly marks: readonly Mark[];
  readonly owner: ClassCode | undefined;
}

/** Functions and classes of a file. Definitions within a function are part of it. */
export function findDefinitions(root: SyntaxNode): Definitions {
  const found = { functions: [] as FunctionCode[], classes: [] as ClassCode[] };
  const visitAll = (nodes: readonly SyntaxNode[], owner: ClassCode | undefined): void => {
    let marks: Mark[] = [];
    for (const node of nodes) {
      if (MARKS.has(node.type)) {
        marks.push(readMark(node));
        continue;
      }
      if (!node.isNamed || node.type.includes("comment")) continue;
      visit(node, { marks, owner });
      marks = [];
    }
  };
  const visit = (node: SyntaxNode, { marks, owner }: FunctionPlace): void => {
    const all = [...marks, ...codeChildren(childOfType(node, "modifiers")).filter(isMark).map(readMark)];
    const code = readFunction(node, { marks: all, owner });
    if (code !== undefined) {
      found.functions.push(code);
      return;
    }
    const own = readClass(node, all) ?? implementation(node, all);
    if (own !== undefined) found.classes.push(own);
    // Decorators of an export apply to the exported definition.
    if (/^(?:export_statement|decorated_definition)$/.test(node.type) && marks.length > 0) {
      for (const child of codeChildren(node)) visit(child, { marks, owner });
      return;
    }
    visitAll(node.children, own ?? implementedBy(node) ?? owner);
  };
  visitAll([root], undefined);
  return found;
}

function readFunction(node: SyntaxNode, { marks, owner }: FunctionPlace): FunctionCode | undefined {
  const isFunction = FUNCTIONS.has(node.type);
  const field = NAMED_VALUES.get(node.type);
  const value = field === undefined ? undefined : (part(node, "value") ?? part(node, "right"));
  const code = isFunction ? node : lambdaIn(value);
  if (code === undefined) return undefined;
  const name = isFunction ? part(node, "name")?.text : pathOf(part(node, field ?? "name")).at(-1);
  const returns = part(code, "return_type") ?? part(code, "result") ?? (isFunction ? part(code, "type") : undefined);
  return omitUndefined({
    name: name ?? "",
    node,
    marks,
    parameters: readParameters(code),
    returns: typeText(returns),
    // For a function that is passed to a wrapper, the body is the whole call.
    body: value === undefined || LAMBDAS.has(value.type) ? [part(code, "body") ?? code] : [value],
    owner,
  });
}

/** A function value, plain or passed to a wrapper: `wrap(async () => …)`. */
function lambdaIn(value: SyntaxNode | undefined): SyntaxNode | undefined {
  if (value === undefined || LAMBDAS.has(value.type)) return value;
  return CALLS.has(value.type) ? argumentsOf(value).find((argument) => LAMBDAS.has(argument.type)) : undefined;
}

export function readParameters(code: SyntaxNode): readonly Parameter[] {
  const only = part(code, "parameter");
  const all = only === undefined ? codeChildren(part(code, "parameters")) : [only];
  return all.map((node) => {
    const name = part(node, "pattern") ?? part(node, "name") ?? node;
    const given = [...node.children, ...codeChildren(childOfType(node, "modifiers"))];
    return omitUndefined({
      name: descendants(name).find(({ type }) => /identifier$/.test(type) && type !== "type_identifier")?.text ?? "",
      type: typeText(part(node, "type")),
      marks: given.filter(isMark).map(readMark),
      value: part(node, "value"),
    });
  });
}

function typeText(node: SyntaxNode | undefined): string {
  return node?.text.replace(/^(?::|->)\s*/, "") ?? "";
}

function readClass(node: SyntaxNode, marks: readonly Mark[]): ClassCode | undefined {
  const name = part(node, "name")?.text;
  if (!CLASSES.has(node.type) || name === undefined) return undefined;
  const heritage =
    childOfType(childOfType(node, "class_heritage"), "extends_clause") ??
    childOfType(node, "class_heritage") ??
    part(node, "superclass") ??
    part(node, "superclasses");
  const base = pathOf(part(heritage, "value") ?? codeChildren(heritage)[0]).at(-1);
  return omitUndefined({ name, node, marks, base: base === "" || base === "object" ? undefined : base });
}

/** The type of a Rust `impl` block, as the class of its methods. */
function implementedBy(node: SyntaxNode): ClassCode | undefined {
  const name = node.type === "impl_item" ? pathOf(part(node, "type")).at(-1) : undefined;
  return name === undefined ? undefined : { name, node, marks: [] };
}

/** Traits that any Rust program implements. */
const STANDARD_TRAITS: ReadonlySet<string> = new Set(
  `Display Debug Default Clone Copy Drop Deref DerefMut From Into TryFrom TryInto FromStr AsRef AsMut Borrow Iterator IntoIterator
  DoubleEndedIterator ExactSizeIterator FromIterator Extend Error PartialEq Eq PartialOrd Ord Hash Hasher Read Write BufRead Seek Fn FnMut
  FnOnce Future Stream Sink Index IndexMut Add Sub Mul Div Neg Not AddAssign SubAssign BitAnd BitOr Send Sync Unpin ToOwned ToString
  Serialize Deserialize Serializer Deserializer Visitor Pattern Termination`.split(/\s+/),
);

/** A Rust `impl` block of a trait of the project, as a class that extends the trait. */
function implementation(node: SyntaxNode, marks: readonly Mark[]): ClassCode | undefined {
  const base = node.type === "impl_item" ? pathOf(part(node, "trait")).at(-1) : undefined;
  const name = pathOf(part(node, "type")).at(-1) ?? "";
  return base === undefined || name === "" || STANDARD_TRAITS.has(base) ? undefined : { name, node, marks, base };
}

function isMark({ type }: SyntaxNode): boolean {
  return MARKS.has(type);
}

function readMark(node: SyntaxNode): Mark {
  // `#[post("/users")]` and `@Post("users")` have the same content at different depths.
  const inner = childOfType(node, "attribute") ?? (node.type === "decorator" ? codeChildren(node)[0] : node);
  const args = part(inner, "arguments");
  const name = part(inner, "name") ?? (inner?.type === "attribute" ? codeChildren(inner)[0] : inner);
  // In Python, an attribute is a dotted name.
  const path = inner?.type === "attribute" && part(inner, "object") !== undefined ? pathOf(inner) : pathOf(name);
  return { path, args: codeChildren(args) };
}

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
