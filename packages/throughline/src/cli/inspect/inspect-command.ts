import process from "node:process";
import { type Command, Option } from "commander";
import { TRANSCRIPT_FORMATS, type TranscriptFormat } from "../../transcript/transcript.ts";
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
    .description("print what a transcript holds: sessions, calls, tokens, compactions, violations")
    .argument("<file>", "a transcript; - reads standard input; .gz and .zst are unpacked")
    .addOption(new Option("-f, --format <format>", "told from the file if not given").choices(TRANSCRIPT_FORMATS))
    .option("-m, --model <id>", "the model to count tokens for", "gpt-4o")
    .option("--json", "print one JSON object")
    .addHelpText(
      "after",
      "\nExamples:\n  throughline inspect session.jsonl\n  throughline inspect rollout.jsonl.zst --json\n  cat chat.json | throughline inspect - --format openai",
    )
    .action(inspect);
}

async function inspect(file: string, options: InspectOptions): Promise<void> {
  const survey = new Survey(options.model);
  const size = await readTranscript(file, options.format, (event) => survey.take(event));
  const result = { file, bytes: size ?? null, model: options.model, ...survey.result() };
  process.stdout.write(options.json ? `${JSON.stringify(result, null, 2)}\n` : printSurvey(result));
}
