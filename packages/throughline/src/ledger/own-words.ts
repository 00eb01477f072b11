import { cutMiddle, escapeHeadings, isOneLine, stripInvisible } from "../internal/one-line.ts";
import { handleOf } from "../prune/mask-output.ts";
import { LIMITS } from "./ledger-limits.ts";

/** What some readers take for the end of a line, and others do not see. */
const ODD_BREAKS = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/g;
const BLANK_LINES = /^(?:[^\S\n]*\n)+/;
/** Below the first line, which stands behind a label: headings, and what looks like an entry of the ledger. */
const FORGED =
  /(\n[^\S\n]{0,8}(?:>[^\S\n]{0,8}){0,3})(?=#{1,6}(?:\s|$)|[-*+] (?:(?:Task(?:, [a-z ]{1,30})?|Open|Done|Answered|Stopped by the user)(?:, then corrected)?|User)(?: \([\d-]{10}\))?:|→ )/gi;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/gm;
/** Text beyond this many times the limit is not even read. */
const MUCH_LONGER = 4;

/**
 * What a person said, byte for byte and with its lines, as it can stand in the ledger: without what nobody sees, and
 * with a backslash before lines that could be taken for lines of the ledger itself. A huge paste is cut to head and tail.
 */
export function ownWords(text: string, part: string | undefined): string {
  const most = MUCH_LONGER * LIMITS.request;
  const bounded =
    text.length > 2 * most ? `${text.slice(0, most)}${cutNote(part)}${text.slice(text.length - most)}` : text;
  const said = clean(bounded).replace(BLANK_LINES, "").trimEnd();
  return cutWords(said.replace(FORGED, "$1\\"), LIMITS.request, part);
}

/** One sentence of what a person said, as it stands; it cannot be taken for a label of the ledger. */
export function ownSentence(text: string): string {
  return escapeHeadings(stripInvisible(text.replace(ODD_BREAKS, " ")).trim()).replace(
    /^(?=(?:Refused|Correction)[ :])/,
    "\\",
  );
}

/** Words that are in the form of the ledger already, cut to about `max` characters beside the note that says so. */
export function cutWords(text: string, max: number, part: string | undefined): string {
  const note = cutNote(part);
  if (text.length <= max + note.length) return text;
  // Where it was cut, halves may have met that look like something else.
  return tidyLines(cutMiddle(text, max + note.length, note));
}

/** Without what nobody sees and without what could be taken for lines of the ledger; idempotent. */
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

/** Whether the id of a part can be read off a line of the ledger and typed as a handle. */
export function isTypeable(id: string): boolean {
  return id.length <= LIMITS.partId && id !== "" && id.trim() === id && isOneLine(id);
}

function cutNote(part: string | undefined): string {
  return part === undefined ? " … " : ` [… recall ${handleOf(part)} …] `;
}

/** The fence of the block of code that a text leaves open. */
function openFence(text: string): string | undefined {
  let open: string | undefined;
  for (const [, fence = "", info = ""] of text.matchAll(FENCE)) {
    if (open !== undefined) {
      if (fence.startsWith(open) && info.trim() === "") open = undefined;
    } else if (!(fence.startsWith("`") && info.includes("`"))) open = fence;
  }
  return open;
}
