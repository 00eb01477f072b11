import process from "node:process";
import { styleText } from "node:util";
import type { SessionMeta } from "throughline/transcript";
import { readSettings } from "../config/read-settings.ts";
import { hostOf } from "../data/inference.ts";
import { type CommandOptions, findData, withStoredData } from "../data/open-data.ts";
import { nameOf } from "../init/agent-tool.ts";
import { isTemporaryInstall, shellLine } from "../init/program-path.ts";
import { confirm } from "../terminal/confirm.ts";
import { interruptible } from "../terminal/interruption.ts";
import { count, number, size } from "../terminal/print-values.ts";
import { UsageError } from "../usage-error.ts";
import { buildReport, type HistoryReport } from "./build-report.ts";
import { findHistories, HISTORY_AGENTS, type History, type HistoryAgent } from "./find-histories.ts";
import { HistorySurvey } from "./history-survey.ts";
import { sessionProjects } from "./import-transcript.ts";
import type { ImportedAll } from "./print-import.ts";
import type { NextSteps } from "./print-report.ts";

/** Imports files, and takes notes for the report. */
type ImportRun = (
  files: readonly string[],
  folders: readonly string[],
  notes: { readonly survey: HistorySurvey; readonly metas: Map<string, SessionMeta>; readonly signal: AbortSignal },
) => Promise<ImportedAll>;

/** Imported histories. */
interface ImportedHistories {
  readonly histories: readonly History[];
  readonly imported: ImportedAll;
  /** Missing in a dry run. */
  readonly report?: HistoryReport;
  readonly next: NextSteps;
}

/** Other names of agents. */
const ALIASES: Readonly<Record<string, HistoryAgent>> = { claude: "claude-code", gemini: "gemini-cli" };

/**
 * The agents whose histories are meant: those that are named, or all if nothing is named.
 *
 * @returns `undefined` if files are named
 * @throws UsageError if both are named
 */
export function namedAgents(named: readonly string[]): readonly HistoryAgent[] | undefined {
  if (named.length === 0) return HISTORY_AGENTS;
  const agents = named.flatMap((name) => (name === "all" ? HISTORY_AGENTS : (findAgent(name) ?? [])));
  if (agents.length === 0) return undefined;
  const file = named.find((name) => name !== "all" && findAgent(name) === undefined);
  if (file !== undefined) {
    throw new UsageError(
      `Cannot import agents and files in one command: ${file} is not the name of an agent.`,
      "Run one command for the agents and one for the files. If a file has the name of an agent, write its folder: ./codex",
    );
  }
  return [...new Set(agents)];
}

function findAgent(name: string): HistoryAgent | undefined {
  return HISTORY_AGENTS.find((agent) => agent === name) ?? ALIASES[name];
}

/**
 * Finds the histories of agents on this machine, shows them, asks, and imports them with their memories.
 *
 * @returns `undefined` if the answer is no
 */
export async function importHistories(
  agents: readonly HistoryAgent[],
  options: CommandOptions,
  run: ImportRun,
): Promise<ImportedHistories | undefined> {
  const histories = await findHistories(agents, Date.now());
  if (histories.length === 0) throw nothingFound(agents);
  if (!options.json) process.stdout.write(printHistories(histories));
  if (!options.dryRun && !(await isWanted(options))) {
    process.stdout.write("Nothing was imported.\n");
    return undefined;
  }
  const metas = new Map<string, SessionMeta>();
  const survey = new HistorySurvey();
  const files = histories.flatMap((history) => history.files.map(({ file }) => file));
  const folders = histories.flatMap((history) => history.folders);
  const imported = await interruptible(
    "Everything imported so far is stored; run the same command again to continue.",
    (signal) => run(files, folders, { survey, metas, signal }),
  );
  const report = options.dryRun ? undefined : await reportOn(imported, { histories, survey, metas }, options);
  return { histories, imported, next: nextSteps(histories, imported, options), ...(report && { report }) };
}

function nothingFound(agents: readonly HistoryAgent[]): UsageError {
  return new UsageError(
    `No history of ${agents.map(agentName).join(", ")} found on this machine.`,
    "Give transcripts, folders or exports: `throughline import FILE…`, or a repository with --git.",
  );
}

async function isWanted(options: CommandOptions): Promise<boolean> {
  const instead = "Add --yes to import them, or --dry-run to see what would be stored.";
  const words = { instead, stopped: "Nothing was imported.", isYesDefault: true, json: options.json };
  return options.yes || confirm(`${describePlan(options)}\nImport them? [Y/n] `, words);
}

/** Settings for the location of the data and for the model. */
function describePlan(options: CommandOptions): string {
  const { model_url: url } = readSettings();
  const where = `They are stored in ${findData(options).file}, with memories, and secrets redacted.`;
  const isAsked = url !== undefined && !options.withoutModel;
  return isAsked ? `${where}\nThe model at ${hostOf(url)} extracts facts; --without-model asks none.` : where;
}

async function reportOn(
  { files, learned }: ImportedAll,
  found: Pick<ImportedHistories, "histories"> & {
    readonly survey: HistorySurvey;
    readonly metas: ReadonlyMap<string, SessionMeta>;
  },
  options: CommandOptions,
): Promise<HistoryReport | undefined> {
  const { histories, survey, metas } = found;
  const sessionIds = [...new Set(files.flatMap(({ sessions }) => sessions.map(({ id }) => id)))];
  const projectFor = sessionProjects(metas);
  const imported = {
    survey,
    metas,
    sessionIds,
    projects: learned?.projects ?? [],
    projectOfSession: (id: string) => options.project ?? projectFor(metas.get(id) ?? {}),
    expiry: histories.find(({ expiry }) => expiry !== undefined)?.expiry,
  };
  return withStoredData({ ...options, allProjects: true }, (data) => buildReport(data, imported));
}

/** Commands to run next, as they have to be typed here. */
function nextSteps(histories: readonly History[], { importId }: ImportedAll, { data }: CommandOptions): NextSteps {
  const program = [
    ...(isTemporaryInstall() ? ["npx"] : []),
    "throughline",
    ...(data === undefined ? [] : ["--data", data]),
  ];
  const [most] = histories.filter(({ agent }) => agent !== "cline").toSorted((a, b) => b.sessions - a.sessions);
  return {
    program: shellLine(program),
    init: most && `init ${most.agent} --global`,
    undo: importId === undefined ? undefined : `undo ${importId}`,
  };
}

/** Display name of an agent. */
function agentName(agent: HistoryAgent): string {
  return agent === "cline" ? "Cline" : nameOf(agent);
}

/** Prints the histories as a table, and the transcripts that are deleted soon. */
function printHistories(histories: readonly History[]): string {
  const rows = histories.map(({ agent, sessions, bytes, oldest, newest }) => {
    return [agentName(agent), number(sessions), size(bytes), `${day(oldest)} to ${day(newest)}`] as const;
  });
  const head = ["Found", "sessions", "size", "last changed"] as const;
  const widths = ([0, 1, 2, 3] as const).map((at) => Math.max(...[head, ...rows].map((row) => row[at].length)));
  const line = ([agent, sessions, bytes, changed]: typeof head | (typeof rows)[number]) =>
    `${agent.padEnd(widths[0] ?? 0)}  ${sessions.padStart(widths[1] ?? 0)}  ${bytes.padStart(widths[2] ?? 0)}  ${changed}`;
  return `${[styleText("bold", line(head)), ...rows.map(line), ...histories.flatMap(printExpiry)].join("\n")}\n`;
}

function printExpiry({ agent, expiry }: History): string[] {
  if (expiry === undefined || expiry.sessions === 0) return [];
  const { sessions, afterDays, withinDays } = expiry;
  return [
    `${agentName(agent)} deletes transcripts after ${count(afterDays, "day")} without use: ${number(sessions)} of these within ${withinDays} days.`,
  ];
}

function day(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}
