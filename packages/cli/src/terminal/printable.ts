import { cutMiddle, stripInvisible } from "throughline/internal";

// Stored text must not be able to control the terminal.

/** Escapes control characters; keeps line breaks. */
export function printable(text: string): string {
  return stripInvisible(text.replaceAll(/\r\n?/g, "\n"));
}

/** A single line, shortened in the middle if it is long. */
export function printableLine(text: string, most = 200): string {
  // A long text need not be processed as a whole.
  const bounded = cutMiddle(text, 4 * most);
  return cutMiddle(stripInvisible(bounded).replaceAll(/\s+/g, " ").trim(), most);
}
