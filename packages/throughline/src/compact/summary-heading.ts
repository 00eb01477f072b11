import { type NoteStyleName, SECTION_TITLES } from "../ledger/render/note-style.ts";
import { SUMMARY_HEADING, SUMMARY_PREFIX } from "../message/message-text.ts";

/** The line above the ledger's text. A model cannot write it. */
const RECORD_HEADING = "## Record (exact, not written by a model)";

/** The same line in a chat. */
const CHAT_RECORD_HEADING = "## In the words of the conversation";

/** All possible lines above the record. */
const RECORD_HEADINGS: readonly string[] = [RECORD_HEADING, CHAT_RECORD_HEADING];

/** Heading of the prose of an earlier summary, if no model merged the two. */
export const EARLIER_TITLE = "Earlier Summary";

/** A summary taken apart. */
export interface ReadSummary {
  /** Prose by a model or another agent, of this round or an earlier one; "" if there is none. */
  readonly prose: string;
  /** Text of the ledger; `undefined` in a summary of another program. */
  readonly record: string | undefined;
}

/** The last line of a summary of ours. */
const CLOSING = /\n\n(?:This summary incorporates \d+ earlier rounds?\.)?(?: ?Recall it as compaction-\d+\.)?$/;
const MARKS_OF_HEADINGS = /^([^\S\n]*(?:>[^\S\n]*)*)(?:[-*+] +)?#{1,6}(?: +|(?=\S))/gm;

/** The first section of a record that has no prose above it. */
const BARE_RECORD = new RegExp(
  `^### (?:${SECTION_TITLES.map((title) => title.replace(/[()]/g, "\\$&")).join("|")})\\b`,
);

/** Takes a summary apart, ours or another agent's. */
export function readSummary(text: string): ReadSummary {
  const summary = text.startsWith(`${SUMMARY_PREFIX}\n`) ? text.slice(SUMMARY_PREFIX.length + 1) : text;
  const [above, below] = splitRecord(summary);
  const narrative = SUMMARY_HEADING.test(above) ? above.replace(/^[^\n]*/, "").trim() : above.trim();
  // A note without prose is the record alone.
  if (below === undefined && SUMMARY_HEADING.test(above) && BARE_RECORD.test(narrative))
    return { prose: "", record: narrative };
  return { prose: proseOf(narrative).replace(MARKS_OF_HEADINGS, "$1").trim(), record: below?.trim() };
}

function splitRecord(summary: string): [above: string, below: string | undefined] {
  for (const heading of RECORD_HEADINGS) {
    const at = summary.indexOf(`\n${heading}\n`);
    if (at >= 0) return [summary.slice(0, at), summary.slice(at + heading.length + 2).replace(CLOSING, "")];
  }
  return [summary.replace(CLOSING, ""), undefined];
}

/** The text of an earlier summary, or all of it. Summaries of 0.1 without prose quote the assistant. */
function proseOf(narrative: string): string {
  const heading = `### ${EARLIER_TITLE}\n`;
  const at = narrative.indexOf(heading);
  if (at >= 0) return narrative.slice(at + heading.length);
  return narrative.startsWith("### Current State\nThe assistant last wrote: ") ? "" : narrative;
}

const CHAT_HEADING = "## Earlier in this conversation";

/** The line that a summary begins with. */
export function summaryHeading(round: number, style: NoteStyleName = "agent"): string {
  return style === "chat" ? CHAT_HEADING : `## Session Summary (Compaction Round ${round})`;
}

/** The line above the record. */
export function recordHeading(style: NoteStyleName = "agent"): string {
  return style === "chat" ? CHAT_RECORD_HEADING : RECORD_HEADING;
}
