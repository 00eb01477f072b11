import process from "node:process";
import type { Command } from "commander";
import type { SessionSummary, Throughline } from "throughline";
import { type DataOptions, findData, withKeptData } from "../data/open-data.ts";
import { jsonListOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { printSessions } from "./print-sessions.ts";

const PAGE = 500;

interface SessionsOptions extends DataOptions {
  readonly json?: boolean;
}

export function addSessionsCommand(program: Command): void {
  program
    .command("sessions")
    .summary("list sessions")
    .description("list the kept sessions, the last changed first")
    .addOption(jsonListOption())
    .addHelpText("after", "\nExample:\n  throughline sessions --json")
    .action((_, command: Command) => listSessions(command.optsWithGlobals()));
}

async function listSessions(options: SessionsOptions): Promise<void> {
  const found = await withKeptData(options, ({ throughline }) => allSessions(throughline));
  const sessions = (found ?? []).toSorted((a, b) => b.updatedAt - a.updatedAt);
  if (options.json) process.stdout.write(printJson(sessions));
  else if (sessions.length > 0) process.stdout.write(printSessions(sessions));
  else
    process.stdout.write(`No sessions are kept in ${findData(options).file}; \`throughline import FILE\` adds some.\n`);
}

/** Page by page, so that others are not kept from writing. */
async function allSessions(throughline: Throughline): Promise<SessionSummary[]> {
  const sessions: SessionSummary[] = [];
  for (let after: string | undefined; ; ) {
    const page = await throughline.sessions(after === undefined ? { limit: PAGE } : { after, limit: PAGE });
    sessions.push(...page);
    if (page.length < PAGE) return sessions;
    after = page.at(-1)?.sessionId;
  }
}
