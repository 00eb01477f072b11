import process from "node:process";
import { type Command, Option } from "commander";
import type { Contradiction, MemoryService } from "throughline";
import type { DataOptions } from "../data/open-data.ts";
import { nothingRemembered, withStoredMemory } from "../data/stored-memory.ts";
import { allProjectsOption, jsonListOption, projectOption } from "../terminal/options.ts";
import { printJson } from "../terminal/print-json.ts";
import { printContradictions, type ShownContradiction } from "./print-contradictions.ts";
import { addResolveCommand } from "./resolve-command.ts";

const STATUSES = ["open", "resolved", "all"] as const;

interface ContradictionsOptions extends DataOptions {
  readonly status: (typeof STATUSES)[number];
  readonly json?: boolean;
}

export function addContradictionsCommand(program: Command): void {
  const command = program
    .command("contradictions")
    .summary("List and resolve contradictions")
    .description("List memories that cannot both be true. Resolve one with `contradictions resolve`.")
    .addOption(new Option("--status <status>", "Which contradictions to list").choices(STATUSES).default("open"))
    .addOption(projectOption())
    .addOption(allProjectsOption())
    .addOption(jsonListOption())
    .addHelpText(
      "after",
      "\nExamples:\n  throughline contradictions --status all\n  throughline contradictions resolve con_0mwhp5 --resolution b_wins",
    )
    .action((_, self: Command) => list(self.optsWithGlobals()));
  addResolveCommand(command);
}

async function list(options: ContradictionsOptions): Promise<void> {
  const { status } = options;
  const found = await withStoredMemory(options, async (memory) => {
    const contradictions = await memory.contradictions(status === "all" ? {} : { status });
    return withTexts(memory, contradictions);
  });
  if (options.json) process.stdout.write(printJson(found ?? []));
  else process.stdout.write(found === undefined ? nothingRemembered(options) : printContradictions(found, status));
}

async function withTexts(
  memory: MemoryService,
  contradictions: readonly Contradiction[],
): Promise<readonly ShownContradiction[]> {
  const ids = new Set(contradictions.flatMap(({ memoryA, memoryB }) => [memoryA, memoryB]));
  const texts = new Map((await memory.getAll([...ids])).map(({ id, levels }) => [id, levels.full]));
  return contradictions.map((contradiction) => ({
    ...contradiction,
    textA: texts.get(contradiction.memoryA) ?? null,
    textB: texts.get(contradiction.memoryB) ?? null,
  }));
}
