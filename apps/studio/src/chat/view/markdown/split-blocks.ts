/**
 * A text in pieces that can be rendered one by one: joined they are the text. While an answer streams only the last
 * piece changes, and only that one is rendered again.
 */
export function splitBlocks(text: string): readonly string[] {
  if (isWholeOnly(text)) return [text];
  const blocks: string[] = [];
  let start = 0;
  let fence: string | undefined;
  let wasBlank = false;
  for (const { line, at } of linesOf(text)) {
    const isBlank = line.trim() === "";
    if (fence === undefined && wasBlank && beginsBlock(line)) {
      blocks.push(text.slice(start, at));
      start = at;
    }
    fence = fenceAfter(line, fence);
    wasBlank = isBlank;
  }
  blocks.push(text.slice(start));
  return blocks;
}

/** Definitions reach across the text, and HTML may span blank lines: such a text is rendered in one piece. */
function isWholeOnly(text: string): boolean {
  return /^ {0,3}(?:\[[^\]]+\]:|<)/m.test(text) || /^[ \t>]*(?:[-*+]|\d+[.)])[ \t]+[^\n]*[`~]{3}/m.test(text);
}

/** Returns if a line after a blank one starts a new block: every line but the next item of a list. */
function beginsBlock(line: string): boolean {
  return /^(?!(?:[-*+]|\d+[.)])(?:\s|$))\S/.test(line);
}

/** The fence that is open behind a line. */
function fenceAfter(line: string, fence: string | undefined): string | undefined {
  const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
  if (mark === null) return fence;
  const [, marks = "", info = ""] = mark;
  if (fence === undefined) return marks.startsWith("`") && info.includes("`") ? undefined : marks;
  const closes = marks[0] === fence[0] && marks.length >= fence.length && info.trim() === "";
  return closes ? undefined : fence;
}

function* linesOf(text: string): Generator<{ readonly line: string; readonly at: number }> {
  let at = 0;
  while (at <= text.length) {
    const end = text.indexOf("\n", at);
    const next = end === -1 ? text.length : end;
    yield { line: text.slice(at, next), at };
    at = next + 1;
  }
}
