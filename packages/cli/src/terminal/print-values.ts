import process from "node:process";
import { cutMiddle, stripInvisible } from "throughline/internal/util";

/** Formats a number, such as 12,430. */
export function number(value: number): string {
  return value.toLocaleString("en-US");
}

/** Formats a count: "1 session", "2 sessions", "2 memories". */
export function count(amount: number, noun: string, plural = `${noun}s`): string {
  return `${number(amount)} ${amount === 1 ? noun : plural}`;
}

const UNITS = ["bytes", "KB", "MB", "GB", "TB"];

/** Formats a size, such as 1.5 MB. */
export function size(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** power;
  return `${power === 0 ? number(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** A local time, to the minute. */
export function moment(milliseconds: number): string {
  const date = new Date(milliseconds);
  const local = new Date(milliseconds - date.getTimezoneOffset() * 60_000);
  // Imported data may have times outside of the calendar.
  if (Number.isNaN(local.getTime())) return "an unknown time";
  return local.toISOString().slice(0, 16).replace("T", " ");
}

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

/** Characters that are valid in JSON but control a terminal: C1 control characters and bidirectional marks. */
const COMMANDS = /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A value as indented JSON. */
export function printJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2).replaceAll(COMMANDS, inJson)}\n`;
}

function inJson(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Prints the result of a command: as JSON if `--json` is set, otherwise as text. */
export function printResult(
  { json }: { readonly json?: boolean | undefined },
  value: unknown,
  text: () => string,
): void {
  process.stdout.write(json ? printJson(value) : text());
}
