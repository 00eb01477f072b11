import { cutMiddle, escapeHeadings, isOneLine, stripInvisible } from "../../internal/text.ts";
import { handleOf } from "../../message/part.ts";
import { LIMITS } from "../ledger.ts";

/** Characters that only some readers treat as line breaks. */
const ODD_BREAKS = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/g;
const BLANK_LINES = /^(?:[^\S\n]*\n)+/;
/** Headings and lines like an entry of the ledger, below the first line, which follows a label. */
const FORGED =
  /(\n[^\S\n]{0,8}(?:>[^\S\n]{0,8}){0,3})(?=#{1,6}(?:\s|$)|[-*+] (?:(?:Task(?:, [a-z ]{1,30})?|Open|Done|Answered|Asked|Stopped by the user)(?:, then corrected)?|User)(?: \([\d-]{10}\))?:|→ )/gi;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/gm;
/** Text beyond this multiple of the limit is not read. */
const MUCH_LONGER = 4;

/**
 * A user's text for the ledger: verbatim with its lines, without invisible characters, and with a backslash before
 * lines that look like lines of the ledger. A huge paste is cut to head and tail.
 */
export function ownWords(text: string, part: string | undefined): string {
  const most = MUCH_LONGER * LIMITS.request;
  const bounded =
    text.length > 2 * most ? `${text.slice(0, most)}${cutNote(part)}${text.slice(text.length - most)}` : text;
  const quoted = clean(bounded).replace(BLANK_LINES, "").trimEnd();
  return cutWords(quoted.replace(FORGED, "$1\\"), LIMITS.request, part);
}

/** One sentence of a user, verbatim, with a backslash if it looks like a label of the ledger. */
export function ownSentence(text: string): string {
  return escapeHeadings(stripInvisible(text.replace(ODD_BREAKS, " ")).trim()).replace(
    /^(?=(?:Refused|Correction)[ :])/,
    "\\",
  );
}

/** Cuts text that is in the form of the ledger to about `max` characters, plus the note about the cut. */
export function cutWords(text: string, max: number, part: string | undefined): string {
  const note = cutNote(part);
  if (text.length <= max + note.length) return text;
  // The two halves may form a line that has to be escaped.
  return tidyLines(cutMiddle(text, max + note.length, note));
}

/** Removes invisible characters and escapes lines that look like lines of the ledger. Idempotent. */
export function tidyLines(text: string): string {
  return clean(text).replace(FORGED, "$1\\");
}

function clean(text: string): string {
  return stripInvisible(text.replace(ODD_BREAKS, "\n"));
}

/** An entry of a list with a label. A block of code begins on its own line and ends with the entry. */
export function entryOf(label: string, words: string): string {
  const text = /^ {0,3}(```|~~~)/.test(words) ? `\n${words}` : ` ${words}`;
  const entry = `- ${label}:${text}`;
  const open = openFence(entry);
  return open === undefined ? entry : `${entry}\n${open}`;
}

/** True if the id of a part can be read from a line of the ledger and typed as a handle. */
export function isTypeable(id: string): boolean {
  return id.length <= LIMITS.partId && id !== "" && id.trim() === id && isOneLine(id);
}

function cutNote(part: string | undefined): string {
  return part === undefined ? " … " : ` [… recall ${handleOf(part)} …] `;
}

/** The fence of an unclosed block of code in a text. */
function openFence(text: string): string | undefined {
  let open: string | undefined;
  for (const [, fence = "", info = ""] of text.matchAll(FENCE)) {
    if (open !== undefined) {
      if (fence.startsWith(open) && info.trim() === "") open = undefined;
    } else if (!(fence.startsWith("`") && info.includes("`"))) open = fence;
  }
  return open;
}
