import { omitUndefined } from "throughline/internal";
import { z } from "zod";
import { defineTool } from "../tool.ts";

export const consolidateTool = defineTool({
  name: "consolidate",
  title: "Consolidate",
  description: `Tidies up what is remembered: merges what says the same, tells old things in short, puts away what nobody needed, looks for contradictions, links what belongs together. It takes seconds to minutes and is done every night where a server runs: call it only when the user asks for it, with dry_run first to see what it would do. Nothing is erased, and all of it can be undone.`,
  input: z.strictObject({
    dry_run: z.boolean().optional().describe("Say what would be done, and change nothing."),
  }),
  output: z.object({
    dry_run: z.boolean(),
    deduped: z.int(),
    compressed: z.int(),
    adjusted: z.int(),
    forgotten: z.int(),
    contradictions_found: z.int(),
    linked: z.int(),
    journal_id: z.string().optional().describe("by which all of it can be undone; nothing where nothing changed"),
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
    const told = Object.entries(counts).map(([name, count]) => `${name.replaceAll("_", " ")} ${count}`);
    const undo = journalId === undefined ? "" : ` The user can undo it: throughline undo ${journalId}`;
    return {
      data: omitUndefined({ dry_run, ...counts, journal_id: journalId }),
      text: `${dry_run ? "It would be" : "Done"}: ${told.join(", ")}.${undo}`,
    };
  },
});
