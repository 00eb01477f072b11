import process from "node:process";
import type { Command } from "commander";
import { type Memory, type MemoryService, NotFoundError } from "throughline";
import type { Undone } from "throughline/memory";
import type { JournalEntry } from "throughline/store";
import type { DataOptions } from "../data/open-data.ts";
import { notFoundError, pickByPrefix, withStoredMemory } from "../data/stored-memory.ts";
import { memoryLine, notesOf } from "./describe-memory.ts";
import { allProjectsOption, dryRunOption, jsonOption, projectOption } from "../terminal/options.ts";
import { printJson } from "../terminal/print-json.ts";
import { printableLine } from "../terminal/printable.ts";
import { isImportId, undoWholeImport } from "./undo-import.ts";

/** Number of latest entries that can be found by a prefix. */
const LATEST = 1_000;
const SHOWN = 20;

interface UndoOptions extends DataOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface UndoOutput extends Undone {
  readonly dryRun: boolean;
  /** The undone entry. */
  readonly undone: string;
}

export function addUndoCommand(program: Command): void {
  program
    .command("undo")
    .summary("Revert one")
    .description(
      "Revert a journal entry, or a whole import with its sessions and memories. To apply an entry again, undo its " +
        "undo. To restore an import, import the files again.",
    )
    .argument("<entry>", "Id of an entry or an import, or a unique prefix of it, as `journal` and `import` print it")
    .addOption(projectOption())
    .addOption(allProjectsOption())
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      "\nExamples:\n  throughline undo jrn_0mwhp5h4cf5d\n  throughline undo imp_0mwhp5h4cf5d --dry-run",
    )
    .action((id: string, _, command: Command) => undo(id, command.optsWithGlobals()));
}

async function undo(named: string, options: UndoOptions): Promise<void> {
  if (isImportId(named)) return undoWholeImport(named, options);
  const { dryRun = false } = options;
  const output = await withStoredMemory(options, async (memory): Promise<UndoOutput | undefined> => {
    const latest = await memory.journal({ limit: LATEST });
    const entry = pickByPrefix(named, latest, "entries");
    const undone = entry?.id ?? named;
    if (dryRun) return entry && { dryRun, undone, memories: await memoriesOf(entry, memory) };
    const result = await memory.undo(undone).catch((error: unknown) => {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    });
    return result && { dryRun, undone, ...result };
  });
  if (output === undefined) throw notFoundError(`journal entry ${named}`, "journal", options);
  process.stdout.write(options.json ? printJson(output) : printUndone(output));
}

/** The memories of an entry, as they are now. */
async function memoriesOf({ changes }: JournalEntry, memory: MemoryService): Promise<readonly Memory[]> {
  const ids = changes.filter(({ kind }) => kind === "memory").map(({ id }) => id);
  return memory.getAll(ids);
}

function printUndone({ dryRun, undone, memories, journalId }: UndoOutput): string {
  const name = printableLine(undone);
  if (journalId === undefined && !dryRun) return `${name} was already undone; nothing changed.\n`;
  const hidden = memories.length - SHOWN;
  const lines = [
    dryRun ? `${name} would be undone. It concerns:` : `${name} is undone:`,
    ...memories.slice(0, SHOWN).map((memory) => `  ${[memoryLine(memory), ...notesOf(memory)].join(" · ")}`),
    ...(hidden > 0 ? [`  … and ${hidden} more; --json prints all.`] : []),
    ...(journalId === undefined ? [] : [`Redo it: throughline undo ${printableLine(journalId)}`]),
  ];
  return `${lines.join("\n")}\n`;
}
