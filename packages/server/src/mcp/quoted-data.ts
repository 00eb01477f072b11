import { asData, BLOCK_CLOSING, BLOCK_OPENING, fence } from "throughline/internal/engine";
import { stripInvisible } from "throughline/internal/util";

const MAX_LINE_LENGTH = 2_400;

/** Stored lines in a block that none of them can close. Line breaks within a line are removed. */
export function quoteLines(lines: readonly string[]): string {
  return [BLOCK_OPENING, ...lines.map((line) => `- ${asData(line, MAX_LINE_LENGTH)}`), BLOCK_CLOSING].join("\n");
}

/** A stored text, verbatim, between tags that it cannot close. */
export function quoteText(tag: string, text: string): string {
  return fence(tag, stripInvisible(text));
}
