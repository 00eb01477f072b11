import { z } from "zod";
import { defineTool } from "../tool.ts";

export const consolidateTool = defineTool({
  name: "consolidate",
  title: "Consolidate",
  description: `Tidies up memories: merges duplicates, shortens old ones, archives unused ones, finds contradictions, and links related ones. A running server does it every night: call it only when the user asks, and with dry_run first. Everything can be undone.`,
  input: z.strictObject({
    dry_run: z.boolean().optional().describe("Report what would change, and change nothing."),
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
    return `${dry_run ? "Would be" : "Done"}: ${parts.join(", ")}.${undo}`;
  },
});
