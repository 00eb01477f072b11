import { homedir } from "node:os";
import path from "node:path";
import { styleText } from "node:util";
import { shellLine } from "../init/program-path.ts";
import { count, number, printableLine } from "../terminal/print-values.ts";
import type { HistoryReport } from "./build-report.ts";
import { isSameRule } from "./history-survey.ts";

/** Columns of a line. */
const WIDTH = 80;
const SHOWN = { rules: 3, projects: 5, commands: 3, work: 5, missing: 3 } as const;

/** Commands for the user to run next. */
export interface NextSteps {
  /** The command line of Throughline, as it has to be typed. */
  readonly program: string;
  /** Switches the agent on; missing if it has no hooks. */
  readonly init?: string | undefined;
  readonly undo?: string | undefined;
}

/**
 * Prints the report on one screen: 80 columns, at most 40 lines.
 *
 * @param leftOut lines about everything that was not stored
 */
export function printReport(
  report: HistoryReport,
  { program, init, undo }: NextSteps,
  leftOut: readonly string[],
): string {
  const command = (text: string) => styleText("cyan", `${program} ${text}`);
  const lines = [
    ...printTotals(report),
    ...leftOut,
    ...section("Compactions", printCompactions(report, command)),
    ...section("Rules that you had to give again", printRepeatedRules(report)),
    ...section("Rules of yours that are remembered", printRules(report)),
    ...section("Projects", printProjects(report)),
    ...section("Commands", printCommands(report)),
    ...section("Recent work", printWork(report)),
    ...section("Try it", printQuestion(report, command)),
    ...section("Next", [
      ...(init === undefined ? [] : [`Give your agent these memories: ${command(init)}`]),
      ...(undo === undefined ? [] : [`Undo this import: ${command(undo)}`]),
    ]),
  ];
  return `${lines.join("\n")}\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [styleText("bold", title), ...lines.map((line) => `  ${line}`)];
}

function printTotals({ sessions, messages, projects, from, until, memories, expiry }: HistoryReport): string[] {
  const named = projects.filter(({ project }) => project !== undefined).length;
  const facts = [
    count(sessions, "session"),
    ...(named > 0 ? [count(named, "project")] : []),
    count(messages, "message"),
    ...(from === undefined || until === undefined ? [] : [`${day(from)} to ${day(until)}`]),
  ];
  const remembered = [
    ...(memories.facts > 0 ? [`${count(memories.facts, "fact")} that you stated`] : []),
    ...(memories.episodes > 0 ? [`${count(memories.episodes, "piece")} of work`] : []),
    ...(memories.workflows > 0 ? [count(memories.workflows, "workflow")] : []),
  ];
  return [
    styleText("bold", facts.join(" · ")),
    ...(remembered.length === 0 ? [] : [`Remembered: ${remembered.join(", ")}.`]),
    ...(expiry === undefined || expiry.sessions === 0
      ? []
      : [
          `Claude Code deletes ${number(expiry.sessions)} of these within ${expiry.withinDays} days. They are stored here now.`,
        ]),
  ];
}

/** Makes a command line of Throughline. */
type CommandLine = (text: string) => string;

function printCompactions({ compactions }: HistoryReport, command: CommandLine): string[] {
  const { count: amount, sessions, needed, kept, worst } = compactions;
  if (amount === 0) return [];
  const where = `${count(amount, "compaction")} in ${count(sessions, "session")}.`;
  if (needed === 0) return [where];
  const share = Math.round((100 * kept) / needed);
  return [
    `${where} Right afterwards, the agent used ${count(needed, "name")}`,
    `(files, functions, ids) from before again. Its own summaries had kept ${share}%.`,
    ...(worst === undefined ? [] : printWorst(worst, command)),
  ];
}

function printWorst(
  { file, needed, kept, missing }: NonNullable<HistoryReport["compactions"]["worst"]>,
  command: CommandLine,
): string[] {
  const names = missing.slice(0, SHOWN.missing).map((name) => path.posix.basename(name));
  return [
    cut(`Worst: ${kept} of ${needed} kept; missing ${names.join(", ")}${missing.length > names.length ? ", …" : ""}`),
    `See them all: ${command(`inspect ${pathArgument(file)}`)}`,
  ];
}

function printRepeatedRules({ repeatedRules }: HistoryReport): string[] {
  return repeatedRules.slice(0, SHOWN.rules).map(({ text, times }) => cut(`${times}×  “${printableLine(text)}”`));
}

function printRules({ rules, repeatedRules }: HistoryReport): string[] {
  const others = rules.filter(({ title }) => !repeatedRules.some(({ text }) => isSameRule(text, title)));
  return others.slice(0, SHOWN.rules).map(({ title }) => cut(`“${printableLine(title)}”`));
}

function printProjects({ projects }: HistoryReport): string[] {
  const named = projects.filter(({ project }) => project !== undefined).toSorted((a, b) => b.sessions - a.sessions);
  const shown = named.slice(0, SHOWN.projects);
  const names = shown.map(({ project = "" }) => cut(tilde(project), WIDTH - 40));
  const width = Math.max(0, ...names.map((name) => name.length));
  const rest = named.slice(SHOWN.projects);
  const others = rest.reduce((sum, { sessions }) => sum + sessions, 0);
  return [
    ...shown.map(({ sessions, memories }, i) => {
      return `${(names[i] ?? "").padEnd(width)}  ${count(sessions, "session").padStart(13)}  ${count(memories, "memory", "memories").padStart(14)}`;
    }),
    ...(rest.length === 0 ? [] : [`and ${count(rest.length, "more project")} with ${count(others, "session")}`]),
  ];
}

function printCommands({ commands }: HistoryReport): string[] {
  const lines = new Map<string, number>();
  for (const { commands: own, times } of commands) {
    const line = own.join(" → ");
    lines.set(line, (lines.get(line) ?? 0) + times);
  }
  const sorted = [...lines].sort(([, a], [, b]) => b - a).slice(0, SHOWN.commands);
  return sorted.map(([line, times]) => cut(`${number(times)}×  ${printableLine(line)}`));
}

function printWork({ work }: HistoryReport): string[] {
  return work.slice(0, SHOWN.work).map(({ at, title, project }) => {
    const where = project === undefined ? "" : ` (${path.win32.basename(project)})`;
    return `${day(at)}  ${cut(printableLine(title), WIDTH - 16 - where.length)}${where}`;
  });
}

function printQuestion({ question }: HistoryReport, command: CommandLine): string[] {
  if (question === undefined) return [];
  const { text, project, answer } = question;
  const where = project === undefined ? "" : ` -p ${pathArgument(project)}`;
  return [command(`recall ${shellLine([printableLine(text)])}${where}`), cut(`→ ${printableLine(answer, 2 * WIDTH)}`)];
}

/** A path as an argument. A shell replaces `~` only without quotes. */
function pathArgument(file: string): string {
  const short = tilde(file);
  return /^[\w~@%+=:,./-]+$/.test(short) ? short : shellLine([file]);
}

/** A path with `~` for the home folder. */
function tilde(file: string): string {
  const home = homedir();
  return file.startsWith(`${home}${path.sep}`) ? `~${file.slice(home.length)}` : file;
}

function day(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? "unknown   " : date.toISOString().slice(0, 10);
}

function cut(text: string, width = WIDTH - 2): string {
  return text.length <= width ? text : `${text.slice(0, width - 1).trimEnd()}…`;
}
