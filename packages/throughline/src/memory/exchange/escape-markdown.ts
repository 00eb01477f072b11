import { stripInvisible } from "../../internal/one-line.ts";

/** Characters with a meaning anywhere in a line: emphasis, links, code, HTML, tables, entities. */
const SPECIAL_CHARACTERS = /[\\`*_[\]<>|~&]/g;
/** Markers of headings, list items, quotations and rules. They have a meaning at the start of a line only. */
const LINE_START_MARKER = /^(\s*)(?:([#>+=-])|(\d{1,9})([.)]))/;

/**
 * Escapes a text for Markdown, so that it renders literally and cannot start a heading, list, quotation, code block,
 * link or HTML. Line breaks are kept.
 *
 * @example
 * escapeMarkdown("# <b>Hi</b>"); // "\\# \\<b\\>Hi\\</b\\>"
 */
export function escapeMarkdown(text: string): string {
  return stripInvisible(text)
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .split("\n")
    .map((line) =>
      line
        .trim()
        .replace(SPECIAL_CHARACTERS, "\\$&")
        .replace(LINE_START_MARKER, (_all, space: string, sign?: string, number?: string, dot?: string) =>
          sign === undefined ? `${space}${number}\\${dot}` : `${space}\\${sign}`,
        ),
    )
    .join("\n");
}

const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** Removes the backslashes that `escapeMarkdown` adds. */
export function unescapeMarkdown(text: string): string {
  return text.replace(ESCAPED, "$1");
}
