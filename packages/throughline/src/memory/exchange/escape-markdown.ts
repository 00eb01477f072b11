import { stripInvisible } from "../../internal/one-line.ts";

/** Signs that mean something wherever they stand: emphasis, links, code, HTML, tables, entities. */
const SIGNS = /[\\`*_[\]<>|~&]/g;
/** What begins a heading, a list, a quotation or a rule at the start of a line. */
const BEGINNINGS = /^(\s*)(?:([#>+=-])|(\d{1,9})([.)]))/;

/**
 * A text that reads in Markdown as it was written, and that cannot begin a heading, a list, a quotation, code, a link
 * or HTML. Line breaks stay.
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
        .replace(SIGNS, "\\$&")
        .replace(BEGINNINGS, (_all, space: string, sign?: string, number?: string, dot?: string) =>
          sign === undefined ? `${space}${number}\\${dot}` : `${space}\\${sign}`,
        ),
    )
    .join("\n");
}

const ESCAPED = /\\([!-/:-@[-`{-~])/g;

/** What an escaped text says. */
export function unescapeMarkdown(text: string): string {
  return text.replace(ESCAPED, "$1");
}
