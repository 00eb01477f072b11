import { countTokens } from "throughline";
import type { PredictedFile } from "throughline/context";
import { asData, omitUndefined, readBudget } from "throughline/internal";
import { z } from "zod";
import { dataText } from "../quoted-data.ts";
import { defineTool } from "../tool.ts";

const MAX_NOTES = 10;
const MAX_FILES = 8;
/** Files that are less likely are not worth opening. */
const MIN_LIKELY = 0.3;
/** Of the budget, no more goes to files. */
const FILES_SHARE = 0.25;

export const assembleContextTool = defineTool({
  name: "assemble_context",
  title: "Assemble context",
  description: `Gives what is worth knowing for a piece of work, within a budget of tokens: decisions in force, open contradictions, recent errors and what fixed them; what will probably be needed; conventions and ways of working; and an index of what else there is. With a file, also which files are likely needed next.
Use it once at the start of a task, and again when the work turns to something else. Say what the user wants, and which file or which errors are at hand: the more you say, the better it fits. For one question, \`recall\` is quicker; \`expand\` reads on behind an entry of the index.`,
  input: z.strictObject({
    message: z.string().min(1).max(20_000).optional().describe("What the user wants, in their words."),
    budget: z
      .int()
      .min(200)
      .max(32_000)
      .optional()
      .describe("Tokens that the context takes at the most; 8,000 if not given."),
    current_file: z.string().min(1).max(2_000).optional().describe("From the project's root: src/auth/login.ts"),
    recent_errors: z
      .array(z.string().min(1).max(20_000))
      .max(20)
      .optional()
      .describe("Errors that are to be dealt with, the newest last."),
    activity: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe("What is being done: default, new-feature, debugging; it shifts what gets room."),
    branch: z.string().min(1).max(500).optional(),
    collaborator: z.string().min(1).max(200).optional().describe("Who else works on it."),
  }),
  output: z.object({
    context: z.string(),
    token_count: z.int(),
    tiers: z
      .object({ tier1: z.int(), tier2: z.int(), tier3: z.int(), tier4: z.int() })
      .describe("tokens of what is critical, relevant, background and index"),
    likely_files: z
      .array(z.object({ path: z.string(), likelihood: z.number() }))
      .describe("files that are likely needed next, with how likely that is"),
    notes: z.array(z.string()).describe("what went differently from what was asked for"),
  }),
  effect: "reads",
  isIdempotent: true,
  async run({ input: { message, budget: asked, ...signals }, throughline }) {
    const budget = readBudget(asked);
    const { current_file: currentFile, recent_errors: recentErrors, activity, branch, collaborator } = signals;
    const happened = omitUndefined({ fileOpened: currentFile, error: recentErrors?.at(-1), branch, collaborator });
    // What keeps a prediction from being made is among the notes of the context.
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
    const text = context === "" ? "Nothing is remembered yet that would help." : context;
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

/** As many as there is room for, the likeliest first. */
function likelyFiles(predicted: readonly PredictedFile[], room: number): LikelyFiles {
  const likely = predicted.filter(({ confidence }) => confidence >= MIN_LIKELY).slice(0, MAX_FILES);
  for (let count = likely.length; count > 0; count -= 1) {
    const files = likely
      .slice(0, count)
      .map(({ path, confidence }) => ({ path, likelihood: Math.round(confidence * 100) / 100 }));
    const lines = files.map(({ path, likelihood }) => `${asData(path)} (${Math.round(likelihood * 100)}%)`);
    const text = dataText("likely-files", lines.join("\n"));
    const tokens = countTokens(`\n${text}`);
    if (tokens <= room) return { files, text, tokens };
  }
  return { files: [], text: "", tokens: 0 };
}
