/** The line that a summary begins with. */
export function summaryHeading(round: number): string {
  return `## Session Summary (Compaction Round ${round})`;
}

/** How a summary is known in a list that somebody else kept. */
export const SUMMARY_HEADING = /^#{2,3} Session Summary\b/;

/** The line above what the ledger says: no model can write it. */
export const RECORD_HEADING = "## Record (exact, not written by a model)";
