import process from "node:process";
import { styleText } from "node:util";
import type { Command } from "commander";
import type { SessionSummary } from "throughline";
import { type CommandOptions, findData, readPages, withStoredData } from "../data/open-data.ts";
import { jsonListOption } from "../terminal/options.ts";
import { moment, number, printableLine, printJson } from "../terminal/print-values.ts";

export function addSessionsCommand(program: Command): void {
  program
    .command("sessions")
    .summary("List sessions")
    .description("List the stored sessions, most recently changed first.")
    .addOption(jsonListOption())
    .addHelpText("after", "\nExample:\n  throughline sessions --json")
    .action((_, command: Command) => listSessions(command.optsWithGlobals()));
}

async function listSessions(options: CommandOptions): Promise<void> {
  const found = await withStoredData(options, ({ throughline }) =>
    readPages(
      (page) => throughline.sessions(page),
      ({ sessionId }) => sessionId,
    ),
  );
  const sessions = (found ?? []).toSorted((a, b) => b.updatedAt - a.updatedAt);
  if (options.json) process.stdout.write(printJson(sessions));
  else if (sessions.length > 0) process.stdout.write(printSessions(sessions));
  else process.stdout.write(`No sessions in ${findData(options).file} yet. Add some: \`throughline import\`.\n`);
}

const NARROWEST = "session".length;

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
