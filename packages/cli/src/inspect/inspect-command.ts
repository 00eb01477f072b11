import process from "node:process";
import type { Command } from "commander";
import type { TranscriptFormat } from "throughline";
import { formatOption, jsonOption, modelOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { readTranscript } from "../read-transcript.ts";
import { printSurvey } from "./print-survey.ts";
import { Survey } from "./survey.ts";

interface InspectOptions {
  readonly format?: TranscriptFormat;
  readonly model: string;
  readonly json?: boolean;
}

export function addInspectCommand(program: Command): void {
  program
    .command("inspect")
    .summary("Inspect a transcript")
    .description("Print what a transcript contains: sessions, tool calls, tokens, compactions and violations.")
    .argument("<file>", "Transcript to read; - reads standard input; .gz and .zst work")
    .addOption(formatOption())
    .addOption(modelOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  throughline inspect session.jsonl\n  throughline inspect rollout.jsonl.zst --json\n  throughline inspect ~/.local/share/opencode/opencode.db\n  cat chat.json | throughline inspect - --format openai",
    )
    .action(inspect);
}

async function inspect(file: string, options: InspectOptions): Promise<void> {
  const survey = new Survey(options.model);
  const { size, events } = await readTranscript(file, options.format);
  for await (const event of events) survey.take(event);
  const result = { file, bytes: size ?? null, model: options.model, ...survey.result() };
  process.stdout.write(options.json ? printJson(result) : printSurvey(result));
}
