import { EARLIER_TITLE, NARRATIVE, RECORD_HEADING, SUMMARY_HEADING } from "./summary-heading.ts";

/** A summary taken apart. */
export interface ReadSummary {
  /** What a model or another agent wrote, in this round or in one before; "" where nobody did. */
  readonly prose: string;
  /** What the ledger said; `undefined` in a summary that is not one of ours. */
  readonly record: string | undefined;
}

/** The last line of a summary of ours. */
const CLOSING = /\n\n(?:This summary incorporates \d+ earlier rounds?\.)?(?: ?Recall it as compaction-\d+\.)?$/;
const MARKS_OF_HEADINGS = /^([^\S\n]*(?:>[^\S\n]*)*)(?:[-*+] +)?#{1,6}(?: +|(?=\S))/gm;

/** Takes a summary apart, ours or another agent's. */
export function readSummary(summary: string): ReadSummary {
  const at = summary.indexOf(`\n${RECORD_HEADING}\n`);
  const record = at < 0 ? undefined : summary.slice(at + RECORD_HEADING.length + 2).replace(CLOSING, "");
  const above = at < 0 ? summary.replace(CLOSING, "") : summary.slice(0, at);
  const story = SUMMARY_HEADING.test(above) ? above.replace(/^[^\n]*/, "").trim() : above.trim();
  return { prose: proseOf(story).replace(MARKS_OF_HEADINGS, "$1").trim(), record: record?.trim() };
}

function proseOf(story: string): string {
  const heading = `### ${EARLIER_TITLE}\n`;
  const at = story.indexOf(heading);
  if (at >= 0) return story.slice(at + heading.length);
  return story.startsWith(NARRATIVE) ? "" : story;
}
