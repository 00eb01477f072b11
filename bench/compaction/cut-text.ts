import { countTokens } from "throughline";

/** The first or the last characters of a text that fit into so many tokens. */
export function cutText(text: string, tokens: number, keep: "start" | "end"): string {
  // No token is longer than this in what agents write, so that a long text is not counted again and again.
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
