import { omitUndefined } from "throughline/internal";
import { z } from "zod";
import { defineTool } from "../tool.ts";

export const consolidateTool = defineTool({
  name: "consolidate",
  title: "Consolidate",
  description: `Tidies up memories: merges duplicates, shortens old ones, archives unused ones, finds contradictions, and links related ones. It takes seconds to minutes, and a running server does it every night: call it only when the user asks, and with dry_run first. Nothing is erased, and everything can be undone.`,
  input: z.strictObject({
    dry_run: z.boolean().optional().describe("Report what would change, and change nothing."),
  }),
  output: z.object({
    dry_run: z.boolean(),
    deduped: z.int(),
    compressed: z.int(),
    adjusted: z.int(),
    forgotten: z.int(),
    contradictions_found: z.int(),
    linked: z.int(),
    journal_id: z.string().optional().describe("Journal entry that undoes everything; missing if nothing changed."),
  }),
  effect: "changes",
  isIdempotent: true,
  async run({ input: { dry_run = false }, throughline, signal, progress }) {
    const done = await throughline.memory.consolidate({
      dryRun: dry_run,
      signal,
      onProgress: ({ step }) => progress(step),
    });
    const { deduped, compressed, adjusted, forgotten, contradictionsFound, linked, journalId } = done;
    const counts = { deduped, compressed, adjusted, forgotten, contradictions_found: contradictionsFound, linked };
    const parts = Object.entries(counts).map(([name, count]) => `${name.replaceAll("_", " ")} ${count}`);
    const undo = journalId === undefined ? "" : ` The user can undo it: throughline undo ${journalId}`;
    return {
      data: omitUndefined({ dry_run, ...counts, journal_id: journalId }),
      text: `${dry_run ? "Would be" : "Done"}: ${parts.join(", ")}.${undo}`,
    };
  },
});
