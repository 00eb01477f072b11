import { omitUndefined } from "../internal/json.ts";
import { stripInvisible } from "../internal/one-line.ts";
import { SECTION_TITLES } from "../ledger/note-style.ts";

/** Set behind the title of a section that a profile and the ledger both have. */
const AS_PROSE = " (as summarised)";
/** Headings of what is exact in a summary: prose must not stand under them. */
const RESERVED = new Set(["Session Summary", "Record", ...SECTION_TITLES].map(nameOf));

/** `### Title`, also quoted, in a list, or without the space. */
const HEADING = /^[\s>]*(?:[-*+]\s+)?(#\s+|#{2,}\s*)(?=\S)/;
/** A line that makes a heading of the one above it, or a rule across the page. */
const UNDERLINE = /^\s*(?:=+|-+)\s*$/;
const HTML_HEADING = /<\/?h[1-6]\b[^<>]*>/gi;
const FENCE = /^\s*(`{3,}|~{3,})/;

interface Line {
  readonly text: string;
  /** How deep a heading is, and what it says; `undefined` for any other line. */
  readonly heading?: { readonly level: number; readonly title: string } | undefined;
  /** The title of the section that begins here. */
  readonly section?: string;
}

/**
 * The prose of a model without anything that could pass for the record beside it: only sections with these titles stay,
 * other headings become bold lines, and what stands under a heading of the ledger is left out. Without titles, every
 * section stays that is none of the ledger's.
 */
export function cleanProse(prose: string, titles?: readonly string[]): string {
  const kept: string[] = [];
  let isKept = titles === undefined;
  let forged = 0;
  for (const line of readLines(prose, titles)) {
    const { heading, section } = line;
    if (section !== undefined || (heading !== undefined && heading.level <= forged)) forged = 0;
    if (section !== undefined) isKept = true;
    else if (heading !== undefined && isReserved(heading.title)) {
      // The summary has its own heading already; what stands under the model's is prose all the same.
      if (!isSummaryTitle(heading.title)) forged = heading.level;
      continue;
    }
    if (isKept && forged === 0) kept.push(written(line, titles !== undefined));
  }
  return closeFence(kept.join("\n").trim());
}

/** The titles of the sections that the prose has; of those that are asked for, where some are. */
export function titlesIn(prose: string, titles?: readonly string[]): string[] {
  const found = readLines(prose, titles).flatMap(({ heading, section }) => {
    return section ?? (titles === undefined && heading !== undefined ? heading.title.replace(AS_PROSE, "") : []);
  });
  return [...new Set(found)];
}

function readLines(prose: string, titles: readonly string[] = []): Line[] {
  const sections = new Map(titles.map((title) => [nameOf(title), title]));
  return stripInvisible(prose)
    .replace(HTML_HEADING, "")
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .filter((text) => !UNDERLINE.test(text))
    .map((text): Line => {
      const heading = readHeading(text);
      const section = sections.get(nameOf(heading?.title ?? text));
      return omitUndefined({ text, heading, section });
    });
}

function readHeading(text: string): Line["heading"] {
  const [mark, marks] = HEADING.exec(text) ?? [];
  if (mark === undefined || marks === undefined) return undefined;
  return { level: marks.trim().length, title: withoutEnd(text.slice(mark.length), " \t#") };
}

function written({ text, heading, section }: Line, areNamed: boolean): string {
  if (section !== undefined) return `### ${section}${RESERVED.has(nameOf(section)) ? AS_PROSE : ""}`;
  if (heading === undefined) return text;
  return areNamed ? `**${heading.title.replaceAll("**", "")}**` : `### ${heading.title}`;
}

/** A title as it is compared: without marks, numbers in front and a colon behind. */
function nameOf(title: string): string {
  const name = title
    .normalize("NFKC")
    .replace(AS_PROSE, "")
    .replace(/^[\s*_]*(?:\d+[.)]\s+)?/, "")
    .replace(/\s+/g, " ")
    .toLowerCase();
  return withoutEnd(name, " :*_");
}

function withoutEnd(text: string, marks: string): string {
  let end = text.length;
  while (end > 0 && marks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Also with something in brackets or behind a colon: `Constraints (new)`. */
function isReserved(title: string): boolean {
  const [start = ""] = title.normalize("NFKC").split(/[([:–—]/, 1);
  return !title.endsWith(AS_PROSE) && RESERVED.has(nameOf(start));
}

function isSummaryTitle(title: string): boolean {
  return nameOf(title).startsWith("session summary");
}

/** What follows the prose must not become part of a block of code. */
function closeFence(text: string): string {
  const fences = text.split("\n").flatMap((line) => FENCE.exec(line)?.[1] ?? []);
  return fences.length % 2 === 0 ? text : `${text}\n${fences.at(-1)}`;
}
