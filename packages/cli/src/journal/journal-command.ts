import process from "node:process";
import type { Command } from "commander";
import type { MemoryService } from "throughline";
import type { JournalEntry } from "throughline/store";
import type { DataOptions } from "../data/open-data.ts";
import { nothingRemembered, withKeptMemory } from "../data/stored-memory.ts";
import { jsonListOption, projectOption, wholeNumber } from "../options.ts";
import { printJson } from "../print-json.ts";
import { printJournal, type ShownEntry } from "./print-journal.ts";

interface JournalOptions extends DataOptions {
  readonly limit: number;
  readonly json?: boolean;
}

export function addJournalCommand(program: Command): void {
  program
    .command("journal")
    .summary("list what was done to memories")
    .description("list what was done to memories, the newest first; `undo` takes an entry back")
    .option("-n, --limit <number>", "how many entries", wholeNumber, 20)
    .addOption(projectOption())
    .addOption(jsonListOption())
    .addHelpText("after", "\nExample:\n  throughline journal --limit 5")
    .action((_, command: Command) => showJournal(command.optsWithGlobals()));
}

async function showJournal(options: JournalOptions): Promise<void> {
  const { limit, json } = options;
  const entries = await withKeptMemory(options, async (memory) => {
    const journal = await memory.journal({ limit });
    if (json) process.stdout.write(printJson(journal));
    else process.stdout.write(printJournal(await Promise.all(journal.map((entry) => withText(memory, entry)))));
    return journal;
  });
  if (entries === undefined) process.stdout.write(json ? printJson([]) : nothingRemembered(options));
}

/** With what the first memory that it is about says now. */
async function withText(memory: MemoryService, entry: JournalEntry): Promise<ShownEntry> {
  const first = entry.changes.find(({ kind }) => kind === "memory");
  return { ...entry, text: first === undefined ? undefined : (await memory.get(first.id))?.levels.full };
}
