import { omitUndefined } from "../../internal/json.ts";
import { findDates } from "../../language/dates.ts";
import { splitSentences } from "../../language/sentences.ts";
import type { FactCategory } from "../../ports/memory.ts";
import { unescapeMarkdown } from "./render-markdown.ts";

/** Properties of the lines below a heading of a pasted export. */
export interface PasteSection {
  readonly category?: FactCategory;
  /** True if the lines are instructions to the assistant. */
  readonly hasInstructions: boolean;
}

/** Section of lines below no heading or an unknown one. */
const NO_SECTION: PasteSection = { hasInstructions: false };

/** A bullet, line or sentence of a pasted text. */
export interface PasteEntry {
  readonly text: string;
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly at?: number;
  readonly section: PasteSection;
}

export interface PasteLines {
  readonly entries: readonly PasteEntry[];
  /** True for Claude's memory summary: prose under headings, about one person by name. */
  readonly isSummary: boolean;
}

const FENCE = /^\s*(?:```|~~~)/;
const BULLET = /^(\s*)(?:[-*+•◦▪‣·–—]|\d{1,4}[.)])\s+(?=\S)/;
const HASHES = /^\s*#{1,6}\s+(.+?)\s*#*\s*$/;
/** A line that is entirely emphasized, or a short line that ends with a colon. */
const TITLE = /^\s*(?:\*\*([^*]{2,80}?):?\*\*:?|__([^_]{2,80}?):?__:?|\*([^*]{2,60})\*|([\p{L}][^.!?:]{1,60}):)\s*$/u;
/** Line of details below a memory in Throughline's own Markdown export. */
const DETAILS = /^\s*\*(?:certain|likely|unsure|doubtful|open|settled)\b.*\*\s*$/;
/** Longer entries are split into sentences. */
const MAX_ENTRY_LENGTH = 500;
const MAX_HEADING_LENGTH = 200;
const MAX_ITEM_LENGTH = 2_000;

/** Splits a pasted text into entries, each with its section and date. Indented lines below a bullet belong to it. */
export function readPasteLines(text: string): PasteLines {
  let section: PasteSection = NO_SECTION;
  let isSummary = false;
  let isInItem = false;
  const entries: PasteEntry[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    const plain = line.replace(/^\s*>\s?/, "");
    if (plain.trim() === "" || FENCE.test(plain) || DETAILS.test(plain)) {
      isInItem &&= plain.trim() !== "";
      continue;
    }
    const bullet = BULLET.exec(plain)?.[0];
    const heading = bullet === undefined ? readHeading(plain) : undefined;
    if (heading !== undefined) {
      section = readSection(heading);
      isSummary ||= isClaudeHeading(heading);
      isInItem = false;
      continue;
    }
    const last = entries.at(-1);
    if (
      bullet === undefined &&
      isInItem &&
      /^\s/.test(plain) &&
      last !== undefined &&
      last.text.length < MAX_ITEM_LENGTH
    ) {
      entries[entries.length - 1] = { ...last, text: `${last.text.replace(/\\$/, "")} ${clean(plain)}` };
      continue;
    }
    isInItem = bullet !== undefined;
    const { rest, at } = takeDate(clean(plain.slice(bullet?.length ?? 0)));
    if (rest !== "") entries.push(omitUndefined({ text: rest, line: index + 1, at, section }));
  }
  return { entries: entries.flatMap((entry) => splitEntry(entry, isSummary)), isSummary };
}

function readHeading(line: string): string | undefined {
  if (line.length > MAX_HEADING_LENGTH) return undefined;
  const title = TITLE.exec(line);
  return HASHES.exec(line)?.[1] ?? title?.slice(1).find((group) => group !== undefined);
}

const STRONG = /(?<!\\)(\*\*|__)(?=\S)(.{1,200}?)(?<=[^\s\\])\1/g;
const EMPHASIS = /(?<![\w*\\])\*(?=\S)([^*]+?)(?<!\\)\*(?![\w*])/g;

/** Removes emphasis and escapes, and collapses white space. */
function clean(text: string): string {
  return unescapeMarkdown(text.replace(STRONG, "$2").replace(EMPHASIS, "$1")).replace(/\s+/g, " ").trim();
}

/** Splits prose and long entries into sentences. A short list item stays whole. */
function splitEntry(entry: PasteEntry, isSummary: boolean): readonly PasteEntry[] {
  if (!isSummary && entry.text.length <= MAX_ENTRY_LENGTH) return [entry];
  return splitSentences(entry.text).map(({ text }) => ({ ...entry, text }));
}

/** A bracketed date with the punctuation that separates it from the entry. */
const IN_BRACKETS = /^[[(]([^[\]()]{1,40})[\])]\s*[-–—:.]*\s*/;
const SEPARATOR = /^\s*(?:[-–—:]+\s+|$)/;
const NO_DATE = /^(?:unknown|no date|date unknown|n\/?a|undated|date not (?:available|saved|known))$/i;
const MAX_DATE_LENGTH = 40;

/** Removes the date at the start of an entry, such as "[2024-05-01] - User lives in Lisbon". */
function takeDate(text: string): { readonly rest: string; readonly at?: number } {
  const [bracket = "", inner = ""] = IN_BRACKETS.exec(text) ?? [];
  const begin = bracket === "" ? text.slice(0, MAX_DATE_LENGTH) : inner;
  const [date] = findDates(begin);
  const isWhole = date?.start === 0 && date.end === inner.length;
  if (bracket !== "") {
    const isDate = NO_DATE.test(inner) || (isWhole && date?.span !== undefined);
    return isDate ? omitUndefined({ rest: text.slice(bracket.length), at: date?.span?.from }) : { rest: text };
  }
  if (date?.start !== 0 || date.span === undefined) return { rest: text };
  const separator = SEPARATOR.exec(text.slice(date.end))?.[0];
  if (separator === undefined) return { rest: text };
  return { rest: text.slice(date.end + separator.length), at: date.span.from };
}

const SECTIONS: readonly (readonly [pattern: RegExp, section: PasteSection])[] = [
  [
    /\b(?:instructions?|how to respond|response (?:style|preferences)|tone|style|format|corrections?)\b/,
    { category: "preference", hasInstructions: true },
  ],
  [/\b(?:preferences?|likes|tastes?|interests?|hobbies)\b/, { category: "preference", hasInstructions: false }],
  [
    /\b(?:projects?|goals?|top of mind|recent months|current(?:ly)?|plans|to-?dos?|ongoing|topics)\b/,
    { category: "project", hasInstructions: false },
  ],
  [
    /\b(?:about|identity|personal|work|career|professional|background|history|earlier|long-term|family|people|details|tools|skills|education|location|health|bio|facts|context|memor(?:y|ies))\b/,
    { category: "identity", hasInstructions: false },
  ],
];
const CLAUDE_HEADING =
  /^(?:work context|personal context|top of mind|brief history|recent months|earlier context|long-term background|other instructions)$/;

/** Section for a heading, by the first pattern that matches. */
function readSection(heading: string): PasteSection {
  const plain = heading.toLowerCase();
  return SECTIONS.find(([pattern]) => pattern.test(plain))?.[1] ?? NO_SECTION;
}

/** True for the headings of Claude's memory summary, which is prose about one person. */
function isClaudeHeading(heading: string): boolean {
  return CLAUDE_HEADING.test(heading.trim().toLowerCase());
}
