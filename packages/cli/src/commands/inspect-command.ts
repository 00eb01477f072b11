import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import type { Command } from "commander";
import { createThroughline, type TranscriptFormat } from "throughline";
import { readSpeech } from "throughline/internal/engine";
import {
  type CompactionReview,
  RecordedSessions,
  reportHtml,
  reportSession,
  type SessionReport,
  summarizeMessages,
} from "throughline/internal/inspect";
import { createTokenCounter } from "throughline/internal/util";
import type { TranscriptSession } from "throughline/transcript";
import { LOGGER } from "../data/open-data.ts";
import { formatOption, jsonOption, modelOption } from "../terminal/options.ts";
import { count, number, printableLine, printResult } from "../terminal/print-values.ts";
import { readTranscript } from "../transcripts/read-transcript.ts";
import {
  type CompactionSurvey,
  type SessionSurvey,
  Survey,
  type SurveyResult,
} from "../transcripts/transcript-survey.ts";
import { UsageError } from "../usage-error.ts";

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
  printResult(options, result, () => printSurvey(result));
}

async function inspectToHtml(file: string, options: InspectOptions & { readonly html: string }): Promise<void> {
  const { html, session, model } = options;
  const sessions = new RecordedSessions();
  const { events } = await readTranscript(file, options.format);
  for await (const event of events) sessions.take(event);
  const { id, calls, compactions } = await writeHtml(selectSession(sessions.sessions(), session), model, html);
  const counts = { file: html, session: id, calls: calls.length, compactions: compactions.length };
  printResult(
    options,
    counts,
    () => `Wrote ${html}: ${count(calls.length, "call")}, ${count(compactions.length, "compaction")}.\n`,
  );
}

interface InspectResult extends SurveyResult {
  readonly file: string;
  readonly bytes: number | null;
  readonly model: string;
}

const TOOLS_SHOWN = 6;
const SKIPPED_SHOWN = 5;
const SESSIONS_SHOWN = 20;
const MISSING_SHOWN = 5;
const MAX_NAME_LENGTH = 60;

function printSurvey(result: InspectResult): string {
  const { sessions, skipped, ignored } = result;
  const size = result.bytes === null ? "" : `, ${number(result.bytes)} bytes`;
  const head = `${result.file}: ${result.format}, ${count(sessions.length, "session")}${size}`;
  const hidden = sessions.length - SESSIONS_SHOWN;
  const lines = [
    styleText("bold", head),
    ...sessions.slice(0, SESSIONS_SHOWN).flatMap((session) => ["", ...printSession(session)]),
    ...(hidden > 0 ? ["", `… and ${count(hidden, "more session")}; --json prints all.`] : []),
    "",
    row("skipped", skipped.total, breakdown(skipped.byKind)),
    ...skipped.first.slice(0, SKIPPED_SHOWN).map(({ line, text }) => detail(`record ${line}: ${text}`)),
    row("bookkeeping", sum(ignored), breakdown(ignored)),
    ...(result.warning === undefined ? [] : ["", styleText("yellow", result.warning)]),
  ];
  return `${lines.join("\n")}\n`;
}

function printSession(session: SessionSurvey): string[] {
  const { meta, messages, toolCalls, tokens, compactions, violations } = session;
  const where = [meta.title, meta.cwd, meta.branch, meta.startedAt && new Date(meta.startedAt).toISOString()];
  return [
    styleText("cyan", [`session ${session.id}`, ...where.filter(Boolean)].join(" · ")),
    row(
      "messages",
      sum(messages),
      breakdown(messages),
      session.spoken > 0 ? `${number(session.spoken)} from the user` : "",
    ),
    row("tool calls", sum(toolCalls), breakdown(toolCalls, TOOLS_SHOWN)),
    row("tokens", sum(tokens), breakdown(tokens)),
    row("compactions", compactions.length, ""),
    ...compactions.flatMap(printCompaction),
    row("violations", Math.max(...Object.values(violations)), breakdown(violations)),
    ...session.firstViolations.map((violation) => detail(violation.text)),
  ];
}

function printCompaction({ at, trigger, tokensBefore, summaryTokens, names }: CompactionSurvey): string[] {
  const facts = [
    `before message ${at}`,
    trigger,
    tokensBefore === undefined ? undefined : `${number(tokensBefore)} tokens before`,
    summaryTokens === undefined ? "no readable summary" : `summary ${number(summaryTokens)}`,
  ];
  return [facts.filter(Boolean).join(", "), ...(names === undefined ? [] : printNames(names))].map(detail);
}

/** Prints how many of the names needed afterwards a summary contains, and the most used missing ones. */
function printNames({ needed, kept, missing }: CompactionReview): string[] {
  if (needed === 0) return ["  no names from before were needed afterwards"];
  const shown = missing.slice(0, MISSING_SHOWN).map((name) => printableLine(name, MAX_NAME_LENGTH));
  const hidden = missing.length - shown.length;
  return [
    `  kept ${kept} of ${count(needed, "name")} that the next 40 calls used`,
    ...(shown.length === 0 ? [] : [`  missing ${shown.join(", ")}${hidden > 0 ? ` and ${hidden} more` : ""}`]),
  ];
}

function row(name: string, total: number, ...notes: string[]): string {
  return `  ${name.padEnd(12)}${number(total).padStart(11)}  ${notes.filter(Boolean).join("; ")}`.trimEnd();
}

function detail(text: string): string {
  return styleText("dim", `${" ".repeat(27)}${text}`);
}

function breakdown(counts: Readonly<Record<string, number>>, shown = 8): string {
  const entries = Object.entries(counts).filter(([, amount]) => amount > 0);
  const named = entries.slice(0, shown).map(([name, amount]) => `${name} ${number(amount)}`);
  return [...named, ...(entries.length > shown ? [`${entries.length - shown} more`] : [])].join(" · ");
}

function sum(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((total, amount) => total + amount, 0);
}

/** The built report page. */
export const REPORT_PAGE = fileURLToPath(new URL("report/report.html", import.meta.url));

/** The session with this id; by default, the one with the most compactions. */
function selectSession(sessions: readonly TranscriptSession[], id: string | undefined): TranscriptSession {
  const [most] = sessions.toSorted((a, b) => b.compactions.length - a.compactions.length);
  const found = id === undefined ? most : sessions.find((session) => session.id.startsWith(id));
  if (found !== undefined) return found;
  throw new UsageError(
    id === undefined ? "No session to report: the transcript has no messages." : `The transcript has no session ${id}.`,
    "List the sessions of a file with `throughline inspect FILE`.",
  );
}

/** Writes the report of a session as one HTML page that makes no requests. */
async function writeHtml(session: TranscriptSession, modelId: string, file: string): Promise<SessionReport> {
  const throughline = await createThroughline({ logger: LOGGER });
  try {
    const counter = createTokenCounter(modelId, {});
    const report = await reportSession(session, {
      counter,
      readSpeech,
      summarize: (messages, targetTokens) =>
        summarizeMessages(messages, { throughline, counter, modelId, targetTokens }),
    });
    await writeFile(file, reportHtml(await readFile(REPORT_PAGE, "utf8"), report));
    return report;
  } finally {
    await throughline.close();
  }
}
