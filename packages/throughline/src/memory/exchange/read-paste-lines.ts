import { omitUndefined } from "../../internal/json.ts";
import { findDates } from "../../language/dates.ts";
import { splitSentences } from "../../language/sentences.ts";
import { unescapeMarkdown } from "./escape-markdown.ts";
import { isClaudeHeading, NO_SECTION, type PasteSection, readSection } from "./paste-sections.ts";

/** One thing that a pasted text says. */
export interface PasteEntry {
  readonly text: string;
  /** The line that it stands on, from 1 on. */
  readonly line: number;
  readonly at?: number;
  readonly section: PasteSection;
}

export interface PasteLines {
  readonly entries: readonly PasteEntry[];
  /** It is the summary that Claude keeps: prose under headings, about one person by name. */
  readonly isSummary: boolean;
}

const FENCE = /^\s*(?:```|~~~)/;
const BULLET = /^(\s*)(?:[-*+•◦▪‣·–—]|\d{1,4}[.)])\s+(?=\S)/;
const HASHES = /^\s*#{1,6}\s+(.+?)\s*#*\s*$/;
/** A line that is all emphasis, or short and with a colon at its end. */
const TITLE = /^\s*(?:\*\*([^*]{2,80}?):?\*\*:?|__([^_]{2,80}?):?__:?|\*([^*]{2,60})\*|([\p{L}][^.!?:]{1,60}):)\s*$/u;
/** What our own export says of a memory below it. */
const DETAILS = /^\s*\*(?:certain|likely|unsure|doubtful|open|settled)\b.*\*\s*$/;
/** What is longer says several things. */
const MAX_ENTRY_LENGTH = 500;
const MAX_HEADING_LENGTH = 200;
const MAX_ITEM_LENGTH = 2_000;

/** Takes a pasted text apart: headings, bullets with what goes on below them, dates, lines and paragraphs. */
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

/** Without emphasis and backslashes. */
function clean(text: string): string {
  return unescapeMarkdown(text.replace(STRONG, "$2").replace(EMPHASIS, "$1")).replace(/\s+/g, " ").trim();
}

/** Prose says one thing in each sentence; what somebody listed stays together, unless it is long. */
function splitEntry(entry: PasteEntry, isSummary: boolean): readonly PasteEntry[] {
  if (!isSummary && entry.text.length <= MAX_ENTRY_LENGTH) return [entry];
  return splitSentences(entry.text).map(({ text }) => ({ ...entry, text }));
}

/** A date in brackets or bare, with the marks that separate it from the entry. */
const IN_BRACKETS = /^[[(]([^[\]()]{1,40})[\])]\s*[-–—:.]*\s*/;
const SEPARATOR = /^\s*(?:[-–—:]+\s+|$)/;
const NO_DATE = /^(?:unknown|no date|date unknown|n\/?a|undated|date not (?:available|saved|known))$/i;
const MAX_DATE_LENGTH = 40;

/** Takes off the date that an entry begins with: "[2024-05-01] - User lives in Lisbon". */
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
