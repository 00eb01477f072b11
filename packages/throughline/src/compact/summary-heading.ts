import type { NoteStyleName } from "../ledger/render/note-style.ts";

const CHAT_HEADING = "## Earlier in this conversation";

/** The line that a summary begins with. */
export function summaryHeading(round: number, style: NoteStyleName = "agent"): string {
  return style === "chat" ? CHAT_HEADING : `## Session Summary (Compaction Round ${round})`;
}

/** The line above the ledger's text. A model cannot write it. */
const RECORD_HEADING = "## Record (exact, not written by a model)";

/** The same line in a chat. */
const CHAT_RECORD_HEADING = "## In the words of the conversation";

/** The line above the record. */
export function recordHeading(style: NoteStyleName = "agent"): string {
  return style === "chat" ? CHAT_RECORD_HEADING : RECORD_HEADING;
}

/** All possible lines above the record. */
export const RECORD_HEADINGS: readonly string[] = [RECORD_HEADING, CHAT_RECORD_HEADING];

/** Heading of the prose of an earlier summary, if no model merged the two. */
export const EARLIER_TITLE = "Earlier Summary";
