import { asData, BLOCK_CLOSING, BLOCK_OPENING, fence, stripInvisible } from "throughline/internal";

const MAX_LINE_LENGTH = 2_400;

/** Lines of what was kept, in a block that none of them can close. A line stays one. */
export function dataLines(lines: readonly string[]): string {
  return [BLOCK_OPENING, ...lines.map((line) => `- ${asData(line, MAX_LINE_LENGTH)}`), BLOCK_CLOSING].join("\n");
}

/** A text that was kept, as it was said, between tags that it cannot close. */
export function dataText(tag: string, text: string): string {
  return fence(tag, stripInvisible(text));
}
