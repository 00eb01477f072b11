import { omitUndefined } from "throughline/internal/util";
import { z } from "zod";
import { defineTool } from "../tool.ts";

const MAX_NOTES = 10;

export const assembleContextTool = defineTool({
  name: "assemble_context",
  title: "Assemble context",
  description: `Returns the context for a task within a token budget: decisions, open contradictions, fixes of current errors, memories that will probably be needed, conventions, workflows, and an index of the rest. With a file, it also predicts the files that are needed next.
Call it once at the start of a task, and again when the work moves to something else. For a single question, \`recall\` is faster; \`expand\` reads an index entry in full.`,
  input: z.strictObject({
    message: z.string().min(1).max(20_000).optional().describe("The user's request, in their own words."),
    budget: z.int().min(200).max(32_000).optional().describe("Maximum tokens of the context (default 8000)."),
    current_file: z
      .string()
      .min(1)
      .max(2_000)
      .optional()
      .describe("Path from the project root, such as src/auth/login.ts."),
    recent_errors: z.array(z.string().min(1).max(20_000)).max(20).optional().describe("Current errors, newest last."),
    activity: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe("Type of work: default, new-feature or debugging. It changes how the budget is divided."),
    branch: z.string().min(1).max(500).optional(),
    collaborator: z.string().min(1).max(200).optional().describe("Another person who works on it."),
  }),
  effect: "reads",
  isIdempotent: true,
  async run({ input: { message, budget, ...signals }, throughline }) {
    const { current_file: currentFile, recent_errors: recentErrors, activity, branch, collaborator } = signals;
    const { context, receipt } = await throughline.context.assemble(
      omitUndefined({
        message,
        budget,
        signals: omitUndefined({ currentFile, recentErrors, activity, branch, collaborator }),
      }),
    );
    const notes = receipt.notes.slice(0, MAX_NOTES);
    return [context === "" ? "No memory is relevant yet." : context, ...notes].join("\n");
  },
});
