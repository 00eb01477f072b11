import { InvalidOptionError } from "throughline";
import { z } from "zod";
import { defineTool } from "../tool.ts";

export const undoImportTool = defineTool({
  name: "undo_import",
  title: "Undo an import",
  description: `Undoes a whole import by the id that \`throughline import\` printed: what it added is erased, what it changed is as before, and what was changed since stays. Call it only when the user asks, and with dry_run first.`,
  input: z.strictObject({
    id: z.string().min(1).max(200).describe("Id of the import, such as imp_0mwhp5h4cf5d."),
    dry_run: z.boolean().optional().describe("Report what would be erased, and change nothing."),
  }),
  effect: "changes",
  isIdempotent: true,
  async run({ input: { id, dry_run = false }, undoImport }) {
    if (undoImport === undefined) {
      throw new InvalidOptionError("id", id, "an import of this server: use `throughline undo` on the command line");
    }
    const { sessions, turns, memories, restored, keptMemories, keptSessions } = await undoImport(id, dry_run);
    const kept = keptMemories.length + keptSessions.length;
    const numbers = `${sessions} sessions, ${turns} utterances and ${memories} memories erased, ${restored} restored, ${kept} kept`;
    return `${dry_run ? "Would be" : "Done"}: ${numbers}.`;
  },
});
