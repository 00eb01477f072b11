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
  description: `Returns the context for a task within a token budget: decisions, open contradictions, recent errors and their fixes; memories that will probably be needed; conventions and workflows; and an index of all other memories. With a file, it also predicts the files that are needed next.
Call it once at the start of a task, and again when the work moves to something else. Pass the user's request and the current file or errors: the more you pass, the better the result. For a single question, \`recall\` is faster; \`expand\` reads an index entry in full.`,
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
  output: z.object({
    context: z.string(),
    token_count: z.int(),
    tiers: z
      .object({ tier1: z.int(), tier2: z.int(), tier3: z.int(), tier4: z.int() })
      .describe("Tokens used by the tiers critical, relevant, background and index."),
    likely_files: z
      .array(z.object({ path: z.string(), likelihood: z.number() }))
      .describe("Files that will probably be needed next, with probabilities."),
    notes: z.array(z.string()).describe("Deviations from the request."),
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
    const { context, tokenCount, tiers, receipt } = await throughline.context.assemble(
      omitUndefined({
        message,
        budget: budget - likely.tokens,
        signals: omitUndefined({ currentFile, recentErrors, activity, branch, collaborator }),
      }),
    );
    const notes = receipt.notes.slice(0, MAX_NOTES);
    const text = context === "" ? "No memory is relevant yet." : context;
    return {
      data: { context, token_count: tokenCount, tiers: { ...tiers }, likely_files: likely.files, notes },
      text: [text, likely.text, ...notes].filter((line) => line !== "").join("\n"),
    };
  },
});

interface LikelyFiles {
  readonly files: { path: string; likelihood: number }[];
  readonly text: string;
  readonly tokens: number;
}

/** As many files as fit, most probable first. */
function likelyFiles(predicted: readonly PredictedFile[], maxTokens: number): LikelyFiles {
  const likely = predicted.filter(({ confidence }) => confidence >= MIN_LIKELY).slice(0, MAX_FILES);
  for (let count = likely.length; count > 0; count -= 1) {
    const files = likely
      .slice(0, count)
      .map(({ path, confidence }) => ({ path, likelihood: Math.round(confidence * 100) / 100 }));
    const lines = files.map(({ path, likelihood }) => `${asData(path)} (${Math.round(likelihood * 100)}%)`);
    const text = quoteText("likely-files", lines.join("\n"));
    const tokens = countTokens(`\n${text}`);
    if (tokens <= maxTokens) return { files, text, tokens };
  }
  return { files: [], text: "", tokens: 0 };
}
