import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { styleText } from "node:util";
import type { Command } from "commander";
import type { MemoryCounts, ProjectSummary, UserProjects } from "throughline/memory";
import { projectOf } from "../config/project.ts";
import type { CommandOptions } from "../data/open-data.ts";
import { nothingRemembered, withStoredMemory } from "../data/stored-memory.ts";
import { jsonOption } from "../terminal/options.ts";
import { moment, number, printableLine, printResult } from "../terminal/print-values.ts";

const NONE: UserProjects = { projects: [], personal: { memories: 0, archived: 0, sessions: 0 } };

export function addProjectsCommand(program: Command): void {
  program
    .command("projects")
    .summary("List projects")
    .description("List the projects that memories are stored for, most recently used first. * marks the current one.")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nSelect a project in other commands with -p: its path, or its last folder if that\nis unique. Personal memories are about you and visible in every project.\n\nExamples:\n  throughline projects\n  throughline memories -p shop",
    )
    .action((_, command: Command) => listProjects(command.optsWithGlobals()));
}

async function listProjects(options: CommandOptions): Promise<void> {
  const found = await withStoredMemory(options, (memory) => memory.projects());
  printResult(options, found ?? NONE, () => (found === undefined ? nothingRemembered(options) : printProjects(found)));
}

function printProjects({ projects, personal }: UserProjects): string {
  const current = projectOf(process.cwd()).id;
  const rows = [
    ...projects.map((project) => cellsOf(nameOf(project, current), project)),
    cellsOf("  personal", personal),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map((cells) => row(cells, width));
  return `${[styleText("bold", row(["  project", "memories", "sessions", "last use"], width)), ...lines].join("\n")}\n`;
}

function nameOf({ id }: ProjectSummary, current: string): string {
  const isGone = path.isAbsolute(id) && !existsSync(id);
  return `${id === current ? "*" : " "} ${printableLine(id)}${isGone ? " (folder not found)" : ""}`;
}

type Cells = readonly [name: string, memories: string, sessions: string, lastUse: string];

function cellsOf(name: string, { memories, sessions, lastUsedAt }: MemoryCounts): Cells {
  return [name, number(memories), number(sessions), lastUsedAt === undefined ? "" : moment(lastUsedAt)];
}

function row([name, memories, sessions, lastUse]: Cells, width: number): string {
  return `${name.padEnd(width)}  ${memories.padStart(8)}  ${sessions.padStart(8)}  ${lastUse}`.trimEnd();
}
