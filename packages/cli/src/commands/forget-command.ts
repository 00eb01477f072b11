import type { Command } from "commander";
import type { Memory, MemoryService } from "throughline";
import type { CommandOptions } from "../data/open-data.ts";
import {
  findMemory,
  lastChangeOf,
  memoryLine,
  notFoundError,
  undoHint,
  withStoredMemory,
} from "../data/stored-memory.ts";
import { allProjectsOption, dryRunOption, jsonOption, projectOption } from "../terminal/options.ts";
import { printableLine, printResult } from "../terminal/print-values.ts";

interface Forgotten {
  readonly id: string;
  readonly text: string;
  /** True if it was already archived. */
  readonly wasForgotten: boolean;
  /** Journal entry that undoes it. */
  readonly journalId: string | null;
}

export function addForgetCommand(program: Command): void {
  program
    .command("forget")
    .summary("Archive memories")
    .description("Archive memories. They are no longer recalled; `undo` restores them and `purge` erases them.")
    .argument("<id...>", "Ids, or unique prefixes of them, as `memories` prints them")
    .addOption(projectOption())
    .addOption(allProjectsOption())
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline forget mem_0mwhp5h4cf5d --dry-run")
    .action((ids: string[], _, command: Command) => forget(ids, command.optsWithGlobals()));
}

async function forget(ids: readonly string[], options: CommandOptions): Promise<void> {
  const { dryRun = false } = options;
  const memories = await withStoredMemory(options, async (memory) => {
    // All ids are resolved first, so that a typo in one of them archives nothing.
    const found: Memory[] = [];
    for (const id of ids) found.push(await findMemory(id, memory, options));
    const forgotten: Forgotten[] = [];
    for (const one of new Map(found.map((each) => [each.id, each])).values()) {
      forgotten.push(await forgetOne(memory, one, dryRun));
    }
    return forgotten;
  });
  if (memories === undefined) throw notFoundError(`memory ${ids[0]}`, "memories --all", options);
  printResult(options, { dryRun, memories }, () => printForgotten(memories, dryRun));
}

async function forgetOne(memory: MemoryService, found: Memory, dryRun: boolean): Promise<Forgotten> {
  const { id, levels, archivedAt } = found;
  const wasForgotten = archivedAt !== undefined;
  if (!wasForgotten && !dryRun) await memory.forget(id);
  const journalId = wasForgotten || dryRun ? undefined : await lastChangeOf(memory, id);
  return { id, text: levels.full, wasForgotten, journalId: journalId ?? null };
}

function printForgotten(memories: readonly Forgotten[], dryRun: boolean): string {
  const done = dryRun ? "Would archive:" : "Archived:";
  const lines = memories.flatMap(({ id, text, wasForgotten, journalId }) => [
    `${wasForgotten ? "Already archived:" : done} ${memoryLine({ levels: { full: text } })} (${printableLine(id)})`,
    ...undoHint(journalId ?? undefined),
  ]);
  return `${lines.join("\n")}\n`;
}
