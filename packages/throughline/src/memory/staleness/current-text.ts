import type { TextSpan } from "../extract/extract-turn.ts";

const MARK = "[outdated]";
const MARKS = /\[outdated\](?:[\s.,;:!'"()–-]*\[outdated\])+/g;
/** Minimum number of words beside outdated parts. Fewer have no meaning of their own. */
const MIN_WORDS = 3;

/**
 * The current text of a turn: outdated parts are replaced by a mark. The turn itself stays unchanged. Empty if too few
 * words are left.
 *
 * @example
 * currentText("The price was $100. It is $150 now.", [{ start: 14, end: 18 }]); // "The price was [outdated]. It is
 * $150 now."
 */
export function currentText(text: string, spans: readonly TextSpan[]): string {
  if (spans.length === 0) return text;
  let current = "";
  let from = 0;
  for (const { start, end } of joinSpans(spans)) {
    current += text.slice(from, start) + MARK;
    from = end;
  }
  const marked = (current + text.slice(from)).replace(MARKS, MARK);
  const left = marked.replaceAll(MARK, " ").match(/[\p{L}\p{N}]+/gu) ?? [];
  return left.length < MIN_WORDS ? "" : marked;
}

/** Spans in order. Adjacent and overlapping spans are merged. */
export function joinSpans(spans: readonly TextSpan[]): TextSpan[] {
  const joined: TextSpan[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joined.at(-1);
    if (last === undefined || start > last.end) joined.push({ start, end });
    else if (end > last.end) joined[joined.length - 1] = { start: last.start, end };
  }
  return joined;
}
