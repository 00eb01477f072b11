import process from "node:process";
import type { Command } from "commander";
import type { TranscriptFormat } from "throughline";
import { RecordedSessions } from "throughline/internal";
import { count } from "../terminal/print-values.ts";
import { formatOption, jsonOption, modelOption } from "../terminal/options.ts";
import { printJson } from "../terminal/print-json.ts";
import { readTranscript } from "../transcripts/read-transcript.ts";
import { printSurvey } from "./print-survey.ts";
import { Survey } from "../transcripts/transcript-survey.ts";
import { selectSession, writeHtml } from "./write-html.ts";

interface InspectOptions {
  readonly format?: TranscriptFormat;
  readonly model: string;
  readonly json?: boolean;
  readonly html?: string;
  readonly session?: string;
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
    .option("--html <page>", "Write a page that shows each window and what each compaction kept and lost")
    .option("-s, --session <id>", "Session of the page (default: the one with most compactions)")
    .addHelpText(
      "after",
      "\nExamples:\n  throughline inspect session.jsonl\n  throughline inspect session.jsonl --html report.html\n  throughline inspect rollout.jsonl.zst --json\n  throughline inspect ~/.local/share/opencode/opencode.db\n  cat chat.json | throughline inspect - --format openai",
    )
    .action(inspect);
}

async function inspect(file: string, options: InspectOptions): Promise<void> {
  if (options.html !== undefined) return inspectToHtml(file, { ...options, html: options.html });
  const survey = new Survey(options.model);
  const { size, events } = await readTranscript(file, options.format);
  for await (const event of events) survey.take(event);
  const result = { file, bytes: size ?? null, model: options.model, ...survey.result() };
  process.stdout.write(options.json ? printJson(result) : printSurvey(result));
}

async function inspectToHtml(file: string, options: InspectOptions & { readonly html: string }): Promise<void> {
  const { html, session, model } = options;
  const sessions = new RecordedSessions();
  const { events } = await readTranscript(file, options.format);
  for await (const event of events) sessions.take(event);
  const { id, calls, compactions } = await writeHtml(selectSession(sessions.sessions(), session), model, html);
  const counts = { file: html, session: id, calls: calls.length, compactions: compactions.length };
  if (options.json) process.stdout.write(printJson(counts));
  else
    process.stdout.write(
      `Wrote ${html}: ${count(calls.length, "call")}, ${count(compactions.length, "compaction")}.\n`,
    );
}
