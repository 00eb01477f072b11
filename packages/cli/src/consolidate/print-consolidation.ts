import type { Consolidated } from "throughline/memory";
import { number } from "../format-values.ts";
import { undoHint } from "../memories/describe-memory.ts";

export const NOTHING_DONE: Consolidated = {
  deduped: 0,
  compressed: 0,
  adjusted: 0,
  contradictionsFound: 0,
  forgotten: 0,
  linked: 0,
};

const WORDS = {
  deduped: "said the same and became one",
  compressed: "are told in short from now on",
  adjusted: "are more or less certain",
  contradictionsFound: "contradictions were found",
  forgotten: "were forgotten",
  linked: "links were found",
} as const satisfies Readonly<Record<Exclude<keyof Consolidated, "journalId">, string>>;

/** What a pass did, or would do, for people. */
export function printConsolidation(done: Consolidated, dryRun: boolean): string {
  const amounts = Object.entries(WORDS).map(([name, words]) => [done[name as keyof typeof WORDS], words] as const);
  if (amounts.every(([amount]) => amount === 0)) return "There is nothing to tidy up.\n";
  const lines = [
    dryRun ? "Nothing was changed. What would come of it:" : "Tidied up:",
    ...amounts.map(([amount, words]) => `${number(amount).padStart(8)}  ${words}`),
    ...undoHint(done.journalId),
  ];
  return `${lines.join("\n")}\n`;
}
