import process from "node:process";
import type { Command } from "commander";
import type { Memory, MemoryService } from "throughline";
import type { Undone } from "throughline/memory";
import type { JournalEntry } from "throughline/store";
import type { DataOptions } from "../data/open-data.ts";
import { notKept, pickByBeginning, withKeptMemory } from "../data/stored-memory.ts";
import { notesOf, saying } from "../memories/describe-memory.ts";
import { dryRunOption, jsonOption, projectOption } from "../options.ts";
import { printJson } from "../print-json.ts";
import { printableLine } from "../printable.ts";

/** Of so many entries a beginning of the id is enough. */
const LATEST = 1_000;
const SHOWN = 20;

interface UndoOptions extends DataOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface UndoOutput extends Undone {
  readonly dryRun: boolean;
  /** The entry that was undone. */
  readonly undone: string;
}

export function addUndoCommand(program: Command): void {
  program
    .command("undo")
    .summary("take it back")
    .description("take back what an entry of the journal says was done; undone once more, it is done again")
    .argument("<entry>", "its id as `journal` prints it, or the beginning of it")
    .addOption(projectOption())
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText("after", "\nExample:\n  throughline undo jrn_0mwhp5h4cf5d")
    .action((id: string, _, command: Command) => undo(id, command.optsWithGlobals()));
}

async function undo(named: string, options: UndoOptions): Promise<void> {
  const { dryRun = false } = options;
  const output = await withKeptMemory(options, async (memory): Promise<UndoOutput | undefined> => {
    const latest = await memory.journal({ limit: LATEST });
    const entry = pickByBeginning(named, latest, "entries");
    const undone = entry?.id ?? named;
    if (!dryRun) return { dryRun, undone, ...(await memory.undo(undone)) };
    return entry && { dryRun, undone, memories: await memoriesOf(entry, memory) };
  });
  if (output === undefined) throw notKept(`Journal entry ${named}`, "journal", options);
  process.stdout.write(options.json ? printJson(output) : printUndone(output));
}

/** What an entry is about, as it is now. */
async function memoriesOf({ changes }: JournalEntry, memory: MemoryService): Promise<readonly Memory[]> {
  const ids = changes.filter(({ kind }) => kind === "memory").map(({ id }) => id);
  const found = await Promise.all(ids.map((id) => memory.get(id)));
  return found.filter((one) => one !== undefined);
}

function printUndone({ dryRun, undone, memories, journalId }: UndoOutput): string {
  const name = printableLine(undone);
  if (journalId === undefined && !dryRun) return `${name} was undone before; nothing changed.\n`;
  const hidden = memories.length - SHOWN;
  const lines = [
    dryRun ? `${name} would be undone. It is about:` : `${name} is undone:`,
    ...memories.slice(0, SHOWN).map((memory) => `  ${[saying(memory), ...notesOf(memory)].join(" · ")}`),
    ...(hidden > 0 ? [`  … and ${hidden} more; --json prints all of them.`] : []),
    ...(journalId === undefined ? [] : [`Do it again: throughline undo ${printableLine(journalId)}`]),
  ];
  return `${lines.join("\n")}\n`;
}
