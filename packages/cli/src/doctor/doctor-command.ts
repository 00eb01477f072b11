import process from "node:process";
import { styleText } from "node:util";
import type { Command } from "commander";
import { type CallStatistics, type LastFailure, sumCalls } from "throughline/internal/engine";
import { BACKUP_DAYS, type JobState, type MigrationBackup } from "throughline/internal/sql";
import { type CommandOptions, findData } from "../data/open-data.ts";
import type { SetupPart } from "../init/configuration.ts";
import { jsonOption } from "../terminal/options.ts";
import { count, moment, number, printable, printableLine, printResult, size } from "../terminal/print-values.ts";
import { EXIT } from "../usage-error.ts";
import { type AgentFindings, type AgentSetup, examineAgents } from "./examine-agents.ts";
import { type Examination, examineData } from "./examine-data.ts";
import { type Endpoint, examineInference, type InferenceFindings } from "./examine-inference.ts";

export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .summary("Check the data")
    .description(
      "Check the data, the jobs of the server, the setup of coding agents, and whether the configured model and embedder answer. Print where the data is. Changes nothing.",
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExits with 1 if it finds a problem, such as a job that failed permanently.\n\nExample:\n  throughline doctor",
    )
    .action((_, command: Command) => doctor(command.optsWithGlobals()));
}

async function doctor(options: CommandOptions): Promise<void> {
  const { exists, ...place } = findData(options);
  const [data, inference, agents] = await Promise.all([
    examineData(place, exists),
    examineInference(),
    examineAgents(options),
  ]);
  const problems = [...data.problems, ...inference.problems, ...otherVectors(data, inference), ...agents.problems];
  const found = { ...data, ...inference, ...agents, problems };
  printResult(options, found, () => printExamination(found));
  if (found.problems.length > 0) process.exitCode = EXIT.failed;
}

/** Vectors of other embedders are not used in searches. */
function otherVectors({ vectors }: Examination, { embedderName }: InferenceFindings): readonly string[] {
  const others = Object.entries(vectors).filter(([name]) => name !== embedderName);
  const total = others.reduce((sum, [, amount]) => sum + amount, 0);
  if (total === 0) return [];
  const names = others.map(([name]) => printableLine(name)).join(", ");
  return [
    `${count(total, "memory or utterance has", "memories and utterances have")} a vector of another embedder (${names}): ` +
      "search finds them by words. Make new ones: throughline reembed",
  ];
}

/** Labels of the row counts. */
const HELD = {
  sessions: ["session"],
  messages: ["message"],
  message_parts: ["part"],
  compaction_events: ["compaction"],
  receipts: ["receipt"],
} as const;
const REMEMBERED = { memories: ["memory", "memories"], turns: ["turn"] } as const;

const ENCRYPTED = {
  none: "no",
  checked: "yes, and readable with the key",
  "not-checked": "yes, not checked: no key is set",
} as const satisfies Readonly<Record<NonNullable<Examination["encryption"]>, string>>;

function printExamination(found: Examination & InferenceFindings & AgentFindings): string {
  const lines = found.exists ? printData(found) : [row("data", `none yet; it will be in ${found.data}`)];
  const { problems, postgres } = found;
  return `${[
    ...lines,
    ...printInference(found),
    ...printAgents(found),
    row("Node", `${found.node}, ${postgres === null ? `SQLite ${found.sqlite}` : `PostgreSQL ${postgres}`.trim()}`),
    "",
    ...(problems.length === 0
      ? ["No problems found."]
      : [styleText("red", `${count(problems.length, "problem")}:`), ...problems.map((problem) => printable(problem))]),
  ].join("\n")}\n`;
}

function printData(found: Examination): string[] {
  const { rows, legacyRows, logBytes, jobs, tokens } = found;
  const isFile = found.postgres === null;
  const amountsOf = (names: Readonly<Record<string, readonly [noun: string, plural?: string]>>) =>
    Object.entries(names).flatMap(([table, words]) => {
      const amount = rows[table as keyof typeof rows];
      return amount === undefined ? [] : [count(amount, ...words)];
    });
  const [stored, remembered] = [amountsOf(HELD), amountsOf(REMEMBERED)];
  const contradictions = count(found.openContradictions, "open contradiction");
  return [
    row("data", found.data),
    row("size", `${size(found.bytes)}${logBytes === 0 ? "" : `, plus ${size(logBytes)} in the write-ahead log`}`),
    ...(found.version === null ? [] : [row("version", versionText(found.version, found.latestVersion ?? 0))]),
    ...(found.encryption === null ? [] : [row("encrypted", ENCRYPTED[found.encryption])]),
    ...(stored.length === 0 ? [] : [row("contains", stored.join(", "))]),
    ...(remembered.length === 0 ? [] : [row("memories", [...remembered, contradictions].join(", "))]),
    ...(legacyRows === 0
      ? []
      : [row("old format", `${count(legacyRows, "message")}, converted each time they are read`)]),
    ...(jobs === null ? [] : [row("jobs", printJobs(jobs)), row("tokens", `${number(tokens)} active`)]),
    row("checks", checks(found)),
    ...(isFile ? [row("used by", users(found.usedBy))] : []),
    ...found.backups.flatMap(printBackup),
  ];
}

/** A copy from before a migration, and how to remove it. */
function printBackup({ path, version, bytes, createdAt }: MigrationBackup): string[] {
  const expiry = moment(createdAt + BACKUP_DAYS * 24 * 60 * 60 * 1_000);
  return [
    row("backup", `${printable(path)}, ${size(bytes)}, from before the migration from version ${number(version)}`),
    row(
      "",
      `delete this file if you no longer need it; purge and encrypt delete it, and every command after ${expiry}`,
    ),
  ];
}

const NO_MODEL = "none configured; rules extract facts and write summaries (set THROUGHLINE_MODEL_URL)";

function printInference({ model, embedder, embedderName, modelCalls }: Examination & InferenceFindings): string[] {
  return [
    row("model", model === null ? NO_MODEL : printEndpoint(model)),
    ...(modelCalls === null ? [] : printCalls(modelCalls)),
    row("embedder", embedder === null ? `${embedderName} (default)` : printEndpoint(embedder)),
  ];
}

const PARTS = { hooks: "hooks", mcp: "MCP", skill: "/remember" } as const satisfies Readonly<Record<SetupPart, string>>;

function printAgents({ agents, mcpLastStarted, proxyLastUsed }: AgentFindings): string[] {
  const isSetUp = ({ parts, usesProxy }: AgentSetup) => usesProxy || Object.keys(parts).length > 0;
  const lines = agents.filter(isSetUp).map(printAgent);
  if (lines.length === 0)
    return [row("agents", "none set up in this folder or for you; set one up: throughline init AGENT")];
  const started = mcpLastStarted === null ? "not started yet" : `last started ${timeOf(mcpLastStarted)}`;
  const used = proxyLastUsed === null ? "no request yet" : `last request ${timeOf(proxyLastUsed)}`;
  const hasServer = agents.some(({ parts }) => parts.mcp !== undefined);
  const hasProxy = proxyLastUsed !== null || agents.some(({ usesProxy }) => usesProxy);
  const all = [...lines, ...(hasServer ? [`MCP server: ${started}`] : []), ...(hasProxy ? [`proxy: ${used}`] : [])];
  return all.map((line, at) => row(at === 0 ? "agents" : "", line));
}

function printAgent({ agent, name, parts, lastRuns: { mcp, ...hooks }, usesProxy }: AgentSetup): string {
  const places = Object.entries(parts).map(([part, place]) => {
    const label = part === "skill" && agent === "codex" ? "$remember" : PARTS[part as SetupPart];
    return `${label}${place === "user" ? " (all projects)" : ""}`;
  });
  const runs = Object.entries(hooks).map(([event, at]) => `${event} ${timeOf(at)}`);
  const ran = runs.length > 0 ? `last ran ${runs.join(", ")}` : "hooks have not run yet";
  const states = [
    ...(parts.hooks === undefined ? [] : [ran]),
    ...(parts.mcp === undefined || mcp === undefined ? [] : [`MCP last started ${timeOf(mcp)}`]),
  ];
  const setup = [...places, ...(usesProxy ? ["proxy"] : [])].join(", ");
  return [`${name}: ${setup}`, ...states].join("; ");
}

function timeOf(iso: string): string {
  return moment(Date.parse(iso));
}

function printEndpoint({ name, host, failure }: Endpoint): string {
  return `${printable(name ?? "unknown")} at ${host}, ${failure === null ? "answers" : "does not answer"}`;
}

function printCalls({ days, lastFailure }: CallStatistics): string[] {
  const { answered, failed, skipped } = sumCalls(days);
  const notSent = skipped === 0 ? "" : `, ${number(skipped)} not sent`;
  return [
    row("requests", `${number(answered + failed)} in the last 7 days, ${number(failed)} failed${notSent}`),
    ...(lastFailure === undefined ? [] : [row("", `last failure ${printFailure(lastFailure)}`)]),
  ];
}

function printFailure({ at, task, problem, status }: LastFailure): string {
  const kind = problem.replaceAll("-", " ");
  return `${moment(at)}, ${printable(task)}: ${kind}${status === undefined ? "" : ` (HTTP ${status})`}`;
}

function printJobs({ waiting, running, done, dead }: Readonly<Record<JobState, number>>): string {
  const parts = { waiting, running, done, "failed permanently": dead };
  return Object.entries(parts)
    .map(([words, amount]) => `${number(amount)} ${words}`)
    .join(", ");
}

function checks({ problems, postgres }: Examination): string {
  if (problems.length > 0) return "see below";
  // PostgreSQL checks the integrity of its own storage.
  return postgres === null
    ? "integrity and foreign keys are intact"
    : "the server answers, and the tables are Throughline's";
}

function versionText(version: number, latest: number): string {
  if (version < latest) return `${number(version)}; the next write upgrades it to ${number(latest)}`;
  return number(version);
}

function users(usedBy: readonly number[] | null): string {
  if (usedBy === null) return "unknown on this system";
  return usedBy.length === 0
    ? "no other process"
    : `${usedBy.length === 1 ? "process" : "processes"} ${usedBy.join(", ")}`;
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(9)} ${text}`;
}
