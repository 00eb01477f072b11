import { type JsonList, type JsonNode, type JsonObject, skipGap } from "./parse-jsonc.ts";

/** Text that was put in at a place. Several of them happened one after the other. */
export interface Insertion {
  readonly at: number;
  readonly text: string;
}

/** A text with something put into it, and what that was; or why nothing can be put into this one. */
export type TextEdit =
  | { readonly text: string; readonly insertions: readonly Insertion[] }
  | { readonly text?: undefined; readonly problem: string };

/** How a text is laid out. */
export interface Layout {
  /** One step of indentation. */
  readonly indent: string;
  readonly lineBreak: string;
}

/** The layout that a text has; two spaces where it shows none. */
export function layoutOf(text: string): Layout {
  const lineBreak = /\r\n|\n/.exec(text)?.[0] ?? "\n";
  // The first line that is indented stands one step in.
  const indent = /(?:^|\n)([ \t]+)["\]}]/.exec(text)?.[1] ?? "  ";
  return { indent, lineBreak };
}

/**
 * What has to be put in so that an object or a list has one more entry behind its last one. Comments, commas and the rest
 * of the text stay as they are.
 *
 * @param entry what is put in: a value, or a name and a value, in lines that are indented by `layout.indent`
 */
export function insertEntry(
  text: string,
  container: JsonObject | JsonList,
  entry: string,
  layout: Layout,
): readonly Insertion[] {
  const closing = container.end - 1;
  const last = container.children.at(-1);
  // Behind the last entry, its comma and the comments that belong to it.
  const body = text.slice(0, closing).trimEnd();
  const behind = Math.max(body.length, container.start + 1);
  const outer = lineIndentAt(text, container.start);
  const inner =
    last !== undefined && startsLine(text, last.start) ? lineIndentAt(text, last.start) : outer + layout.indent;
  const lines = entry.split("\n").map((line) => layout.lineBreak + inner + line);
  const isClosedOnNextLine = /[\r\n]/.test(text.slice(behind, closing));
  const end = isClosedOnNextLine ? "" : layout.lineBreak + outer;
  const insertions: Insertion[] = [];
  if (last !== undefined && text[skipGap(text, last.end)] !== ",") insertions.push({ at: last.end, text: "," });
  const shift = insertions.length;
  return [...insertions, { at: behind + shift, text: lines.join("") + end }];
}

export function applyInsertions(text: string, insertions: readonly Insertion[]): string {
  return insertions.reduce((now, { at, text: added }) => now.slice(0, at) + added + now.slice(at), text);
}

/** Takes them out again; `undefined` where one of them is not where it was put. */
export function undoInsertions(text: string, insertions: readonly Insertion[]): string | undefined {
  let now = text;
  for (const { at, text: added } of insertions.toReversed()) {
    if (now.slice(at, at + added.length) !== added) return undefined;
    now = now.slice(0, at) + now.slice(at + added.length);
  }
  return now;
}

/** The text without one entry of an object or a list, with the comma that stood between it and the next. */
export function removeEntry(text: string, container: JsonObject | JsonList, index: number): string {
  const entry = container.children[index];
  if (entry === undefined) return text;
  const before = container.children[index - 1];
  const comma = skipGap(text, entry.end);
  const hasComma = text[comma] === ",";
  const lineStart = startsLine(text, entry.start)
    ? text.slice(0, entry.start).search(/(?:\r\n?|\n|(?<![ \t]))[ \t]*$/)
    : entry.start;
  const end = hasComma ? comma + 1 : entry.end;
  const without = text.slice(0, lineStart) + text.slice(end);
  if (hasComma || before === undefined) return without;
  // It was the last one: the comma behind the one before it goes too.
  const earlier = skipGap(text, before.end);
  return without.slice(0, earlier) + without.slice(earlier + 1);
}

/** A value in lines, the first of which stands where it is put. */
export function renderJson(value: unknown, { indent }: Layout): string {
  return JSON.stringify(value, null, indent);
}

/** A name and its value in lines, as an entry of an object. */
export function renderProperty(name: string, value: unknown, layout: Layout): string {
  return `${JSON.stringify(name)}: ${renderJson(value, layout)}`;
}

/** Puts a value into a text that holds nothing. */
export function fillText(text: string, value: unknown): TextEdit {
  const layout = layoutOf(text);
  const whole = `${renderJson(value, layout)}\n`.replaceAll("\n", layout.lineBreak);
  const insertions = [{ at: text.length, text: whole }];
  return { text: applyInsertions(text, insertions), insertions };
}

/** Whether nothing but blanks stands before it in its line. */
function startsLine(text: string, at: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(0, at)) && at > 0;
}

function lineIndentAt(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

export function isContainer(node: JsonNode | undefined): node is JsonObject | JsonList {
  return node?.type === "object" || node?.type === "list";
}
