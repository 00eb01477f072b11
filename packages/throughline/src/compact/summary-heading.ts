/** The line that a summary begins with. */
export function summaryHeading(round: number): string {
  return `## Session Summary (Compaction Round ${round})`;
}

/** How a summary is known in a list that somebody else kept. */
export const SUMMARY_HEADING = /^#{2,3} Session Summary\b/;

/** The line above what the ledger says: no model can write it. */
export const RECORD_HEADING = "## Record (exact, not written by a model)";

/** Under this stands what an earlier summary said, where no model made one text of the two. */
export const EARLIER_TITLE = "Earlier Summary";

/** How the words begin that stand in place of a model's. */
export const NARRATIVE = "### Current State\nThe assistant last wrote: ";
