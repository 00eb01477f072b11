import { countTokens } from "throughline";

/** The first or last characters of a text that fit a token budget. */
export function cutText(text: string, tokens: number, keep: "start" | "end"): string {
  // No token in agent output is longer than this, so a long text is not counted repeatedly.
  const reach = tokens * 16;
  let fits = 0;
  let fitsNot = Math.min(text.length, reach) + 1;
  while (fitsNot - fits > 1) {
    const middle = Math.floor((fits + fitsNot) / 2);
    if (countTokens(take(text, middle, keep)) <= tokens) fits = middle;
    else fitsNot = middle;
  }
  return take(text, fits, keep);
}

function take(text: string, length: number, keep: "start" | "end"): string {
  return keep === "start" ? text.slice(0, length) : text.slice(text.length - length);
}
