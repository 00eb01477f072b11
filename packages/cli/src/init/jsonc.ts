import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  type JSONPath,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

// Reads and edits settings files: JSON that may have comments and trailing commas. jsonc-parser reads them. Its
// `modify` is not used: it puts a new entry before the comment at the end of a line and removes comments together with
// an entry.

/** A path to a value: property names and list positions. */
export type JsonPath = readonly (string | number)[];

/** Text inserted at an offset. A list of insertions is applied in order. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** The edited text with its insertions, or the reason why the text cannot be edited. */
export type TextEdit =
  | { readonly text: string; readonly insertions: readonly Insertion[] }
  | { readonly text?: undefined; readonly problem: string };

/** jsonc-parser reads nested values by recursion: deeper ones would overflow the stack. */
const MAX_DEPTH = 200;

interface ReadOptions {
  /** Refuse comments and trailing commas. */
  readonly strict?: boolean;
}

type ReadResult =
  | { readonly node: Node }
  | { readonly node?: undefined; readonly problem: string; readonly offset: number };

function readTree(text: string, { strict = false }: ReadOptions = {}): ReadResult {
  // A byte order mark is no white space to the parser; a space keeps all offsets.
  const source = text.replace(/^\ufeff/, " ");
  const deep = findTooDeep(source);
  if (deep !== undefined) return { problem: "nested too deeply", offset: deep };
  const errors: ParseError[] = [];
  const node = parseTree(source, errors, { allowTrailingComma: !strict, disallowComments: strict });
  const [error] = errors;
  if (error === undefined && node !== undefined) return { node };
  return { problem: error === undefined ? "empty" : describe(error), offset: error?.offset ?? 0 };
}

/** `CommaExpected` as "comma expected". */
function describe({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
}

function findTooDeep(text: string): number | undefined {
  const scanner = createScanner(text, true);
  let depth = 0;
  for (scanner.scan(); scanner.getTokenOffset() < text.length; scanner.scan()) {
    const first = text.charAt(scanner.getTokenOffset());
    if (first === "{" || first === "[") depth += 1;
    if (first === "}" || first === "]") depth -= 1;
    if (depth > MAX_DEPTH) return scanner.getTokenOffset();
  }
  return undefined;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split(/\r\n|\r|\n/).length;
}

/**
 * Reads JSON with comments and trailing commas. Returns `undefined` if the text is invalid.
 *
 * @example
 * readJsonc('{ "a": 1 } // one'); // { a: 1 }
 */
export function readJsonc(text: string): unknown {
  const { node } = readTree(text);
  return node && getNodeValue(node);
}

/** Explains why the object under a key cannot be edited: the text is invalid or no object, or a key occurs twice. */
export function problemWithObject(text: string, key: string): string | undefined {
  const result = readTree(text);
  if (result.node === undefined) return `Line ${lineAt(text, result.offset)} is not valid JSON: ${result.problem}.`;
  if (result.node.type !== "object") return "The file does not contain a JSON object.";
  const own = keysOf(result.node).filter((one) => one === key);
  const repeated = own[1] ?? findRepeatedKey(nodeAt(result.node, [key]));
  return repeated === undefined ? undefined : `The key ${JSON.stringify(repeated)} occurs twice.`;
}

/** A key that an object has twice: readers take the last value, an editor would change the first. */
function findRepeatedKey(node: Node | undefined): string | undefined {
  const seen = new Set<string>();
  const repeated = keysOf(node).find((key) => seen.size === seen.add(key).size);
  if (repeated !== undefined) return repeated;
  for (const child of node?.children ?? []) {
    const inner = findRepeatedKey(child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function keysOf(node: Node | undefined): readonly string[] {
  return node?.type === "object" ? (node.children ?? []).map(({ children }) => String(children?.[0]?.value)) : [];
}

/** The first comment or trailing comma in a valid text, which plain JSON does not allow, and its line. */
export function findBeyondJson(text: string): { readonly what: string; readonly line: number } | undefined {
  const result = readTree(text, { strict: true });
  if (result.node !== undefined) return undefined;
  if (result.problem === "invalid comment token") {
    return { what: "a comment", line: lineAt(text, result.offset) };
  }
  // The parser reports the bracket after the comma.
  return { what: "a trailing comma", line: lineAt(text, text.lastIndexOf(",", result.offset)) };
}

/**
 * Appends a value to the list at `path`, or sets the property at `path` that does not exist yet. Missing objects and
 * lists on the way are created. Comments and the layout of the rest stay as they are.
 *
 * @param path ends in -1 to append to a list
 */
export function insertAt(text: string, path: JsonPath, value: unknown): readonly Insertion[] {
  const root = readTree(text).node;
  let [parentPath, last, entry] = [path.slice(0, -1), path.at(-1), value];
  while (root !== undefined && parentPath.length > 0 && nodeAt(root, parentPath) === undefined) {
    entry = last === -1 ? [entry] : { [String(last)]: entry };
    last = parentPath.at(-1);
    parentPath = parentPath.slice(0, -1);
  }
  const container = root && nodeAt(root, parentPath);
  if (container === undefined) return [];
  const layout = layoutOf(text);
  const json = JSON.stringify(entry, null, layout.indent);
  return insertEntry(text, container, last === -1 ? json : `${JSON.stringify(last)}: ${json}`, layout);
}

function nodeAt(root: Node, path: JsonPath): Node | undefined {
  return findNodeAtLocation(root, [...path] satisfies JSONPath);
}

/** Writes a value into a text that is blank. */
export function fillText(text: string, value: unknown): TextEdit {
  const { indent, lineBreak } = layoutOf(text);
  const whole = `${JSON.stringify(value, null, indent)}\n`.replaceAll("\n", lineBreak);
  const insertions = [{ at: text.length, text: whole }];
  return { text: applyInsertions(text, insertions), insertions };
}

export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  return insertions.reduce((now, { at, text: added }) => now.slice(0, at) + added + now.slice(at), text);
}

/** Reverts insertions. Returns `undefined` if one of them is no longer at its offset. */
export function undoInsertions(text: string, insertions: readonly Insertion[]): string | undefined {
  let now = text;
  for (const { at, text: added } of insertions.toReversed()) {
    if (now.slice(at, at + added.length) !== added) return undefined;
    now = now.slice(0, at) + now.slice(at + added.length);
  }
  return now;
}

/**
 * Removes the value at `path`. If `isNothing` returns true for a container without the value, the container is removed
 * too.
 *
 * @param isNothing receives the value of each container on the path, innermost first
 */
export function removeAt(text: string, path: JsonPath, isNothing: (container: unknown) => boolean): string {
  const root = readTree(text).node;
  if (root === undefined) return text;
  let target = path;
  for (let outer = path.slice(0, -1); outer.length > 0; outer = outer.slice(0, -1)) {
    const container = nodeAt(root, outer);
    if (container === undefined || !isNothing(getNodeValue(container))) break;
    target = outer;
  }
  const value = nodeAt(root, target);
  const entry = value?.parent?.type === "property" ? value.parent : value;
  return entry?.parent === undefined ? text : removeEntry(text, entry.parent, entry);
}

interface Layout {
  /** One level of indentation. */
  readonly indent: string;
  readonly lineBreak: string;
}

function layoutOf(text: string): Layout {
  const lineBreak = /\r\n|\n/.exec(text)?.[0] ?? "\n";
  const indent = /(?:^|\n)([ \t]+)["\]}]/.exec(text)?.[1] ?? "  ";
  return { indent, lineBreak };
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

function insertEntry(text: string, container: Node, entry: string, layout: Layout): readonly Insertion[] {
  const closing = endOf(container) - 1;
  const last = container.children?.at(-1);
  // After the last entry, its comma and its comments.
  const behind = Math.max(text.slice(0, closing).trimEnd().length, container.offset + 1);
  const outer = lineIndentAt(text, container.offset);
  const inner =
    last !== undefined && startsLine(text, last.offset) ? lineIndentAt(text, last.offset) : outer + layout.indent;
  const lines = entry.split("\n").map((line) => layout.lineBreak + inner + line);
  const isClosedOnNextLine = /[\r\n]/.test(text.slice(behind, closing));
  const end = isClosedOnNextLine ? "" : layout.lineBreak + outer;
  const needsComma = last !== undefined && text[skipGap(text, endOf(last))] !== ",";
  return [
    ...(needsComma ? [{ at: endOf(last), text: "," }] : []),
    { at: behind + (needsComma ? 1 : 0), text: lines.join("") + end },
  ];
}

/** Removes one entry and the comma between it and its neighbor. */
function removeEntry(text: string, container: Node, entry: Node): string {
  const siblings = container.children ?? [];
  const before = siblings[siblings.indexOf(entry) - 1];
  const comma = skipGap(text, endOf(entry));
  const hasComma = text[comma] === ",";
  const lineStart = startsLine(text, entry.offset)
    ? text.slice(0, entry.offset).search(/(?:\r\n?|\n|(?<![ \t]))[ \t]*$/)
    : entry.offset;
  const without = text.slice(0, lineStart) + text.slice(hasComma ? comma + 1 : endOf(entry));
  if (hasComma || before === undefined) return without;
  // The entry was the last one: the comma after the one before it goes too.
  const earlier = skipGap(text, endOf(before));
  return without.slice(0, earlier) + without.slice(earlier + 1);
}

/** The offset of the next token that is no white space and no comment. */
function skipGap(text: string, at: number): number {
  const scanner = createScanner(text, true);
  scanner.setPosition(at);
  scanner.scan();
  return scanner.getTokenOffset();
}

/** True if only white space precedes the offset in its line. */
function startsLine(text: string, at: number): boolean {
  return at > 0 && /(?:^|\n)[ \t]*$/.test(text.slice(0, at));
}

function lineIndentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}
