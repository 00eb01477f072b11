import process from "node:process";
import { styleText } from "node:util";
import type { Command } from "commander";
import type { Memory, MemoryKind, MemoryScope, MemoryService } from "throughline";
import { omitUndefined } from "throughline/internal";
import type { FactCategory } from "throughline/memory";
import type { DataOptions } from "../data/open-data.ts";
import { allMemories, nothingRemembered, withStoredMemory } from "../data/stored-memory.ts";
import { count } from "../terminal/print-values.ts";
import {
  allProjectsOption,
  categoryOption,
  jsonListOption,
  kindOption,
  projectOption,
  scopeOption,
} from "../terminal/options.ts";
import { printJson } from "../terminal/print-json.ts";
import { printableLine } from "../terminal/printable.ts";
import { addAuditCommand } from "./audit-command.ts";
import { memoryLine, notesOf } from "./describe-memory.ts";

interface MemoriesOptions extends DataOptions {
  readonly kind?: MemoryKind;
  readonly category?: FactCategory;
  readonly scope?: MemoryScope;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function addMemoriesCommand(program: Command): void {
  const command = program
    .command("memories")
    .summary("List memories")
    .description("List the memories that are true now, newest first. Find problems in them with `memories audit`.")
    .addOption(kindOption("Only memories of this kind"))
    .addOption(categoryOption("Only facts of this category"))
    .addOption(scopeOption("Only memories of this scope"))
    .addOption(projectOption())
    .addOption(allProjectsOption())
    .option("-a, --all", "Include memories that ended or were archived")
    .addOption(jsonListOption())
    .addHelpText(
      "after",
      "\nExamples:\n  throughline memories --category preference\n  throughline memories --all --json",
    )
    .action((_, self: Command) => listMemories(self.optsWithGlobals()));
  addAuditCommand(command);
}

async function listMemories(options: MemoriesOptions): Promise<void> {
  const found = await withStoredMemory(options, (memory) => wantedMemories(memory, options));
  if (options.json) process.stdout.write(printJson(found ?? []));
  else process.stdout.write(found === undefined ? nothingRemembered(options) : printMemories(found, options));
}

/** Newest first. */
async function wantedMemories(
  memory: MemoryService,
  { kind, category, scope, all }: MemoriesOptions,
): Promise<readonly Memory[]> {
  const memories = await allMemories(memory, omitUndefined({ kinds: kind && [kind], category, scope, all }));
  return memories.toReversed().sort((a, b) => b.lastSeenAt - a.lastSeenAt);
}

/** Prints one line per memory. If all are of one project, it is named once, below them. */
function printMemories(memories: readonly Memory[], { all = false }: { readonly all?: boolean }): string {
  if (memories.length === 0) {
    return all
      ? "No matching memories.\n"
      : "No matching memories; --all includes those that ended or were archived.\n";
  }
  const projects = [...new Set(memories.flatMap(({ projectId }) => projectId ?? []))];
  const [only] = projects.length === 1 ? projects : [];
  const rows = memories.map((memory) => [printableLine(memory.id), memory.category ?? memory.kind] as const);
  const widths = [0, 1].map((at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  const lines = memories.map((memory, i) => {
    const cells = (rows[i] ?? []).map((cell, at) => cell.padEnd(widths[at] ?? 0));
    const notes = notesOf(only === undefined ? memory : { ...memory, projectId: undefined });
    const note = notes.length === 0 ? "" : `  ${styleText("dim", `(${notes.join(", ")})`)}`;
    return `${cells.join("  ")}  ${memoryLine(memory)}${note}`;
  });
  const own = memories.filter(({ projectId }) => projectId === only).length;
  const ofProject =
    only === undefined ? "" : `, ${own === memories.length ? "all" : own} of project ${printableLine(only)}`;
  return `${[...lines, `${count(memories.length, "memory", "memories")}${ofProject}`].join("\n")}\n`;
}
