import { stripInvisible } from "throughline/internal/util";
import { ConfigError } from "../usage-error.ts";

/** One line of the block: a list item without its marker. */
export interface BlockItem {
  readonly text: string;
  /** One-based line number in the file. */
  readonly line: number;
}

/** A heading of the block with the items below it. */
export interface BlockSection {
  /** The heading with its `#` marks; "" for items before the first heading. */
  readonly heading: string;
  readonly items: readonly BlockItem[];
}

/** The block in a file, and the text around it. */
export interface FoundBlock {
  readonly before: string;
  readonly after: string;
  /** Id of the synced state that the block was written from; "" if a person removed it. */
  readonly state: string;
  readonly sections: readonly BlockSection[];
}

const MAX_FILE_LENGTH = 1_000_000;
const MAX_ITEMS = 500;
/** Characters of an item that is read. */
const MAX_ITEM_LENGTH = 1_000;

const START = /^<!--\s*throughline:start(?:\s+([0-9a-f]+))?\b.*-->$/;
const END = /^<!--\s*throughline:end\s*-->$/;
const START_WORD = "throughline:start";
const END_MARKER = "<!-- throughline:end -->";
const HINT = 'edit, add or delete lines, then run "throughline sync"';
export const TITLE = "## Project memory";

const HEADING = /^#{1,6}\s/;
const LIST_MARK = /^\s*(?:[-*+]|\d{1,4}[.)])\s+/;
const MERGE_CONFLICT = /^(?:<{7}|={7}|>{7})(?:\s|$)/;
/** Lines that are no list, with a word for them. */
const UNSUPPORTED: readonly (readonly [pattern: RegExp, what: string])[] = [
  [/^\s*(?:```|~~~)/, "a code block"],
  [/^\s*<!--/, "a comment"],
  [/^\s*\|/, "a table"],
];

/** Normalizes the text of an item to one line without invisible characters. */
export function cleanItem(text: string): string {
  return stripInvisible(text).replaceAll(/\s+/g, " ").replaceAll("&lt;!--", "<!--").replaceAll("--&gt;", "-->").trim();
}

/** The text of an item in the file. It cannot contain a comment, which could end the block. */
function encodeItem(text: string): string {
  return text.replaceAll("<!--", "&lt;!--").replaceAll("-->", "--&gt;");
}

interface FileLine {
  readonly text: string;
  readonly start: number;
  /** Offset behind the text, before the line break. */
  readonly end: number;
}

function linesOf(text: string): readonly FileLine[] {
  let start = 0;
  return text.split("\n").map((whole) => {
    const line = whole.replace(/\r$/, "");
    const found = { text: start === 0 ? line.replace(/^\ufeff/, "") : line, start, end: start + line.length };
    start += whole.length + 1;
    return found;
  });
}

/**
 * Finds the block of a file.
 *
 * @returns `undefined` if there is none
 * @throws ConfigError if markers are missing or repeated, or the block has content that cannot be synced
 */
export function findBlock(file: string, text: string): FoundBlock | undefined {
  if (text.length > MAX_FILE_LENGTH) {
    throw refuse(file, "The file is larger than 1 MB.", "Choose another file.");
  }
  const lines = linesOf(text);
  const starts = lines.flatMap((line, at) => (START.test(line.text.trim()) ? [at] : []));
  const ends = lines.flatMap((line, at) => (END.test(line.text.trim()) ? [at] : []));
  const [start] = starts;
  const [end] = ends;
  if (start === undefined && end === undefined) return undefined;
  checkMarkers(file, starts, ends);
  const [first, last] = [lines[start ?? 0], lines[end ?? 0]];
  const [, state = ""] = START.exec(first?.text.trim() ?? "") ?? [];
  return {
    before: text.slice(0, first?.start),
    after: text.slice(last?.end),
    state,
    sections: readSections(file, lines, (start ?? 0) + 1, end ?? 0),
  };
}

function checkMarkers(file: string, starts: readonly number[], ends: readonly number[]): void {
  const [start = -1] = starts;
  const [end = -1] = ends;
  if (starts.length > 1 || ends.length > 1) {
    const repeated = starts.length > 1 ? starts : ends;
    throw refuse(
      file,
      `The file has several markers of a block, in lines ${repeated.map((at) => at + 1).join(" and ")}.`,
      "Keep one block, with one start and one end marker.",
    );
  }
  if (end === -1) {
    throw refuse(
      file,
      `The block that starts in line ${start + 1} has no end marker.`,
      `Add the line ${END_MARKER} after its last line, or delete the start marker.`,
    );
  }
  if (start === -1 || start > end) {
    throw refuse(file, `The end marker in line ${end + 1} has no start marker before it.`, "Delete the end marker.");
  }
}

function readSections(file: string, lines: readonly FileLine[], from: number, to: number): readonly BlockSection[] {
  const sections: { heading: string; items: { text: string; line: number }[] }[] = [{ heading: "", items: [] }];
  let isOpen = false;
  for (let at = from; at < to; at += 1) {
    const line = lines[at]?.text ?? "";
    checkLine(file, line, at + 1);
    const section = sections.at(-1);
    const last = section?.items.at(-1);
    if (line.trim() === "") isOpen = false;
    else if (HEADING.test(line)) {
      isOpen = false;
      sections.push({ heading: stripInvisible(line).trim(), items: [] });
    } else if (isOpen && last !== undefined && /^\s/.test(line) && !LIST_MARK.test(line)) {
      // A formatter wrapped the item.
      last.text = cleanItem(`${last.text} ${line}`);
    } else {
      const text = cleanItem(line.replace(LIST_MARK, ""));
      isOpen = text !== "";
      if (isOpen) section?.items.push({ text, line: at + 1 });
    }
  }
  checkItems(file, sections);
  return sections.filter(({ heading, items }) => heading !== "" || items.length > 0);
}

function checkLine(file: string, line: string, number: number): void {
  if (MERGE_CONFLICT.test(line)) {
    throw refuse(file, `The block has a merge conflict in line ${number}.`, "Resolve it first.");
  }
  const [, what] = UNSUPPORTED.find(([pattern]) => pattern.test(line)) ?? [];
  if (what !== undefined) {
    throw refuse(
      file,
      `The block has ${what} in line ${number}; it can only have headings and lists.`,
      "Move it out of the block.",
    );
  }
}

function checkItems(file: string, sections: readonly BlockSection[]): void {
  const items = sections.flatMap((section) => section.items);
  if (items.length > MAX_ITEMS) {
    throw refuse(file, `The block has ${items.length} lines, more than ${MAX_ITEMS}.`, "Delete some of them.");
  }
  const long = items.find(({ text }) => text.length > MAX_ITEM_LENGTH);
  if (long !== undefined) {
    throw refuse(
      file,
      `Line ${long.line} has more than ${MAX_ITEM_LENGTH} characters.`,
      "Shorten it, or move it out of the block.",
    );
  }
}

function refuse(file: string, problem: string, advice: string): ConfigError {
  return new ConfigError(file, problem, `${advice} Nothing was changed.`);
}

/** Sections to write: headings with the texts of their items. */
export interface WrittenSection {
  readonly heading: string;
  readonly texts: readonly string[];
}

/**
 * The file with a new block. The rest of the file stays byte for byte; the block has the line breaks of the file.
 *
 * @param text the file; `undefined` if there is none
 * @param state id of the state that is written
 */
export function writeBlock(
  text: string | undefined,
  found: FoundBlock | undefined,
  sections: readonly WrittenSection[],
  state: string,
): string {
  const lineBreak = text?.includes("\r\n") ? "\r\n" : "\n";
  const body = sections.flatMap(({ heading, texts }) => [
    ...(heading === "" ? [] : ["", heading]),
    ...(texts.length === 0 ? [] : [""]),
    ...texts.map((one) => `- ${encodeItem(one)}`),
  ]);
  const block = [`<!-- ${START_WORD} ${state} (${HINT}) -->`, ...body.slice(1), "", END_MARKER].join(lineBreak);
  if (found !== undefined) return `${found.before}${block}${found.after}`;
  if (text === undefined || text === "") return `${block}${lineBreak}`;
  const hasEnd = /\n$/.test(text);
  return hasEnd ? `${text}${lineBreak}${block}${lineBreak}` : `${text}${lineBreak}${lineBreak}${block}`;
}
