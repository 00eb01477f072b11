import { countTokens } from "throughline";
import type { PredictedFile } from "throughline/context";
import { asData, omitUndefined, readBudget } from "throughline/internal";
import { z } from "zod";
import { quoteText } from "../quoted-data.ts";
import { defineTool } from "../tool.ts";

const MAX_NOTES = 10;
const MAX_FILES = 8;
/** Minimum probability of a listed file. */
const MIN_LIKELY = 0.3;
/** Maximum share of the budget for files. */
const FILES_SHARE = 0.25;

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
  async run({ input: { message, budget: asked, ...signals }, throughline }) {
    const budget = readBudget(asked);
    const { current_file: currentFile, recent_errors: recentErrors, activity, branch, collaborator } = signals;
    const happened = omitUndefined({ fileOpened: currentFile, error: recentErrors?.at(-1), branch, collaborator });
    // The notes of the context say why there is no prediction.
    const predicted =
      currentFile === undefined ? undefined : await throughline.context.predict(happened).catch(() => undefined);
    const likely = likelyFiles(predicted?.files ?? [], budget * FILES_SHARE);
    const { context, receipt } = await throughline.context.assemble(
      omitUndefined({
        message,
        budget: budget - likely.tokens,
        signals: omitUndefined({ currentFile, recentErrors, activity, branch, collaborator }),
      }),
    );
    const notes = receipt.notes.slice(0, MAX_NOTES);
    const text = context === "" ? "No memory is relevant yet." : context;
    return [text, likely.text, ...notes].filter((line) => line !== "").join("\n");
  },
});

interface LikelyFiles {
  readonly text: string;
  readonly tokens: number;
}

/** As many files as fit, most probable first. */
function likelyFiles(predicted: readonly PredictedFile[], maxTokens: number): LikelyFiles {
  const likely = predicted.filter(({ confidence }) => confidence >= MIN_LIKELY).slice(0, MAX_FILES);
  for (let count = likely.length; count > 0; count -= 1) {
    const lines = likely
      .slice(0, count)
      .map(({ path, confidence }) => `${asData(path)} (${Math.round(confidence * 100)}%)`);
    const text = quoteText("likely-files", lines.join("\n"));
    const tokens = countTokens(`\n${text}`);
    if (tokens <= maxTokens) return { text, tokens };
  }
  return { text: "", tokens: 0 };
}
