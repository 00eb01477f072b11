import { cutMiddle, stripInvisible } from "throughline/internal";

// Text of a transcript must not be able to steer the terminal that it is printed on.

/** Text in lines. */
export function printable(text: string): string {
  return stripInvisible(text.replaceAll(/\r\n?/g, "\n"));
}

/** Text within a line, its head and its tail where it is long. */
export function printableLine(text: string, most = 200): string {
  // Most of a long text need not be looked at.
  const bounded = cutMiddle(text, 4 * most);
  return cutMiddle(stripInvisible(bounded).replaceAll(/\s+/g, " ").trim(), most);
}
