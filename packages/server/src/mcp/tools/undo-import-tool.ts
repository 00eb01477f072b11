import { InvalidOptionError } from "throughline";
import { z } from "zod";
import { defineTool } from "../tool.ts";

export const undoImportTool = defineTool({
  name: "undo_import",
  title: "Undo an import",
  description: `Undoes a whole import by the id that \`throughline import\` printed: its sessions, utterances and memories are erased, memories that it changed are as before, and everything that was changed since stays. Call it only when the user asks, and with dry_run first. Importing the same files again brings everything back.`,
  input: z.strictObject({
    id: z.string().min(1).max(200).describe("Id of the import, such as imp_0mwhp5h4cf5d."),
    dry_run: z.boolean().optional().describe("Report what would be erased, and change nothing."),
  }),
  output: z.object({
    dry_run: z.boolean(),
    sessions: z.int(),
    utterances: z.int(),
    memories: z.int().describe("Erased memories."),
    restored: z.int().describe("Memories that are as they were before the import."),
    kept: z.int().describe("Memories and sessions that were changed since and stay."),
  }),
  effect: "changes",
  isIdempotent: true,
  async run({ input: { id, dry_run = false }, undoImport }) {
    if (undoImport === undefined) {
      throw new InvalidOptionError("id", id, "an import of this server: use `throughline undo` on the command line");
    }
    const { sessions, turns, memories, restored, keptMemories, keptSessions } = await undoImport(id, dry_run);
    const kept = keptMemories.length + keptSessions.length;
    const data = { dry_run, sessions, utterances: turns, memories, restored, kept };
    const numbers = `${sessions} sessions, ${turns} utterances and ${memories} memories erased, ${restored} restored, ${kept} kept`;
    return { data, text: `${dry_run ? "Would be" : "Done"}: ${numbers}.` };
  },
});
