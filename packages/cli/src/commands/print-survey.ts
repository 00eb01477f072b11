import { styleText } from "node:util";
import type { CompactionReview } from "throughline/internal";
import { count, number } from "../terminal/print-values.ts";
import { printableLine } from "../terminal/printable.ts";
import type { CompactionSurvey, SessionSurvey, SurveyResult } from "../transcripts/transcript-survey.ts";

export interface InspectResult extends SurveyResult {
  readonly file: string;
  readonly bytes: number | null;
  readonly model: string;
}

const TOOLS_SHOWN = 6;
const SKIPPED_SHOWN = 5;
const SESSIONS_SHOWN = 20;
const MISSING_SHOWN = 5;
const MAX_NAME_LENGTH = 60;

/** Prints the survey, one block per session. */
export function printSurvey(result: InspectResult): string {
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

/** Prints what a summary kept of the names that were needed afterwards, and the most used missing ones. */
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
