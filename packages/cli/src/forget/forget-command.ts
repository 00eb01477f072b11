import process from "node:process";
import type { Command } from "commander";
import type { Memory, MemoryService } from "throughline";
import type { DataOptions } from "../data/open-data.ts";
import { findMemory, notKept, withKeptMemory } from "../data/stored-memory.ts";
import { lastChangeOf, saying, undoHint } from "../memories/describe-memory.ts";
import { dryRunOption, jsonOption, projectOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { printableLine } from "../printable.ts";

interface ForgetOptions extends DataOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface Forgotten {
  readonly id: string;
  readonly text: string;
  /** It was forgotten before. */
  readonly wasForgotten: boolean;
  /** What undoes it. */
  readonly journalId: string | null;
}

export function addForgetCommand(program: Command): void {
  program
    .command("forget")
    .summary("put memories away")
    .description("put memories away: they are not recalled any more, and `undo` brings them back; `purge` erases")
    .argument("<id...>", "as `memories` prints it, or the beginning of it")
    .addOption(projectOption())
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline forget mem_0mwhp5h4cf5d --dry-run")
    .action((ids: string[], _, command: Command) => forget(ids, command.optsWithGlobals()));
}

async function forget(ids: readonly string[], options: ForgetOptions): Promise<void> {
  const { dryRun = false } = options;
  const memories = await withKeptMemory(options, async (memory) => {
    // All of them are looked up first: who mistypes one has forgotten none.
    const found: Memory[] = [];
    for (const id of ids) found.push(await findMemory(id, memory, options));
    const forgotten: Forgotten[] = [];
    for (const one of new Map(found.map((each) => [each.id, each])).values()) {
      forgotten.push(await forgetOne(memory, one, dryRun));
    }
    return forgotten;
  });
  if (memories === undefined) throw notKept(`Memory ${ids[0]}`, "memories --all", options);
  process.stdout.write(options.json ? printJson({ dryRun, memories }) : printForgotten(memories, dryRun));
}

async function forgetOne(memory: MemoryService, found: Memory, dryRun: boolean): Promise<Forgotten> {
  const { id, levels, archivedAt } = found;
  const wasForgotten = archivedAt !== undefined;
  if (!wasForgotten && !dryRun) await memory.forget(id);
  const journalId = wasForgotten || dryRun ? undefined : await lastChangeOf(memory, id);
  return { id, text: levels.full, wasForgotten, journalId: journalId ?? null };
}

function printForgotten(memories: readonly Forgotten[], dryRun: boolean): string {
  const done = dryRun ? "Would be forgotten:" : "Forgotten:";
  const lines = memories.flatMap(({ id, text, wasForgotten, journalId }) => [
    `${wasForgotten ? "Forgotten before:" : done} ${saying({ levels: { full: text } })} (${printableLine(id)})`,
    ...undoHint(journalId ?? undefined),
  ]);
  return `${lines.join("\n")}\n`;
}
