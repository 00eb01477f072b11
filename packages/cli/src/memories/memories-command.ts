import process from "node:process";
import type { Command } from "commander";
import type { Memory, MemoryKind, MemoryScope, MemoryService } from "throughline";
import { omitUndefined } from "throughline/internal";
import type { FactCategory, ListOptions } from "throughline/memory";
import type { DataOptions } from "../data/open-data.ts";
import { nothingRemembered, withKeptMemory } from "../data/stored-memory.ts";
import { categoryOption, jsonListOption, kindOption, projectOption, scopeOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { printMemories } from "./print-memories.ts";

const PAGE = 500;

interface MemoriesOptions extends DataOptions {
  readonly kind?: MemoryKind;
  readonly category?: FactCategory;
  readonly scope?: MemoryScope;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function addMemoriesCommand(program: Command): void {
  program
    .command("memories")
    .summary("list what is remembered")
    .description("list what is remembered and still holds, the newest first")
    .addOption(kindOption("only those of a kind"))
    .addOption(categoryOption("only facts of a category"))
    .addOption(scopeOption("only what these see"))
    .addOption(projectOption())
    .option("-a, --all", "also what ended and what was forgotten")
    .addOption(jsonListOption())
    .addHelpText(
      "after",
      "\nExamples:\n  throughline memories --category preference\n  throughline memories --all --json",
    )
    .action((_, command: Command) => listMemories(command.optsWithGlobals()));
}

async function listMemories(options: MemoriesOptions): Promise<void> {
  const found = await withKeptMemory(options, (memory) => allMemories(memory, options));
  if (options.json) process.stdout.write(printJson(found ?? []));
  else process.stdout.write(found === undefined ? nothingRemembered(options) : printMemories(found, options));
}

/** Page by page, so that others are not kept from writing. */
async function allMemories(
  memory: MemoryService,
  { kind, category, scope, all }: MemoriesOptions,
): Promise<readonly Memory[]> {
  const wanted: ListOptions = omitUndefined({ kinds: kind && [kind], category, scope, all, limit: PAGE });
  const memories: Memory[] = [];
  for (let after = ""; ; ) {
    const page = await memory.list({ ...wanted, after });
    memories.push(...page);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return memories.reverse();
    after = last.id;
  }
}
