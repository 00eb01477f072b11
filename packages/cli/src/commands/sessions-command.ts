import process from "node:process";
import { styleText } from "node:util";
import type { Command } from "commander";
import type { SessionSummary, Throughline } from "throughline";
import { type DataOptions, findData, withStoredData } from "../data/open-data.ts";
import { jsonListOption } from "../terminal/options.ts";
import { moment, number, printableLine, printJson } from "../terminal/print-values.ts";

const PAGE = 500;

interface SessionsOptions extends DataOptions {
  readonly json?: boolean;
}

export function addSessionsCommand(program: Command): void {
  program
    .command("sessions")
    .summary("List sessions")
    .description("List the stored sessions, most recently changed first.")
    .addOption(jsonListOption())
    .addHelpText("after", "\nExample:\n  throughline sessions --json")
    .action((_, command: Command) => listSessions(command.optsWithGlobals()));
}

async function listSessions(options: SessionsOptions): Promise<void> {
  const found = await withStoredData(options, ({ throughline }) => allSessions(throughline));
  const sessions = (found ?? []).toSorted((a, b) => b.updatedAt - a.updatedAt);
  if (options.json) process.stdout.write(printJson(sessions));
  else if (sessions.length > 0) process.stdout.write(printSessions(sessions));
  else process.stdout.write(`No sessions in ${findData(options).file} yet. Add some: \`throughline import\`.\n`);
}

/** Page by page, so that writers are not blocked. */
async function allSessions(throughline: Throughline): Promise<SessionSummary[]> {
  const sessions: SessionSummary[] = [];
  for (let after: string | undefined; ; ) {
    const page = await throughline.sessions(after === undefined ? { limit: PAGE } : { after, limit: PAGE });
    sessions.push(...page);
    if (page.length < PAGE) return sessions;
    after = page.at(-1)?.sessionId;
  }
}

const NARROWEST = "session".length;

/** Prints one line per session. */
function printSessions(sessions: readonly SessionSummary[]): string {
  const ids = sessions.map(({ sessionId }) => printableLine(sessionId));
  const width = ids.reduce((widest, id) => Math.max(widest, id.length), NARROWEST);
  const lines = sessions.map((session, i) => {
    const note = session.isCompacting ? "  (compaction running)" : "";
    return `${row(ids[i] ?? "", number(session.appended), number(session.compactions), moment(session.updatedAt), width)}${note}`;
  });
  return `${[styleText("bold", row("session", "messages", "compactions", "last change", width)), ...lines].join("\n")}\n`;
}

function row(id: string, messages: string, compactions: string, changed: string, width: number): string {
  return `${id.padEnd(width)}  ${messages.padStart(10)}  ${compactions.padStart(11)}  ${changed.padEnd(16)}`.trimEnd();
}
