import type { Command } from "commander";
import { type Memory, type MemoryService, NotFoundError } from "throughline";
import { listImportRecords, type UndoImportDeps, type UndoneImport, undoImport } from "throughline/internal/engine";
import { SYSTEM_CLOCK } from "throughline/internal/util";
import type { Undone } from "throughline/memory";
import type { JournalEntry } from "throughline/store";
import {
  type CommandOptions,
  LOCAL_USER,
  openAllProjects,
  type StoredData,
  withStoredData,
} from "../data/open-data.ts";
import { memoryLine, notesOf, notFoundError, pickByPrefix, withStoredMemory } from "../data/stored-memory.ts";
import { allProjectsOption, dryRunOption, jsonOption, projectOption } from "../terminal/options.ts";
import { count, moment, printableLine, printResult } from "../terminal/print-values.ts";

/** Number of latest entries that can be found by a prefix. */
const LATEST = 1_000;
const SHOWN = 20;

interface UndoOutput extends Undone {
  readonly dryRun: boolean;
  /** The undone entry. */
  readonly undone: string;
}

export function addUndoCommand(program: Command): void {
  program
    .command("undo")
    .summary("Revert a change")
    .description(
      "Revert a journal entry, or a whole import with its sessions and memories. To apply an entry again, undo its " +
        "undo. To restore an import, import the files again.",
    )
    .argument(
      "<entry>",
      "Id of a journal entry or import, or a unique prefix of it, as `journal` and `import` print it",
    )
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

async function undo(named: string, options: CommandOptions): Promise<void> {
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
  printResult(options, output, () => printUndone(output));
}

/** The memories of an entry, as they are now. */
async function memoriesOf({ changes }: JournalEntry, memory: MemoryService): Promise<readonly Memory[]> {
  const ids = changes.filter(({ kind }) => kind === "memory").map(({ id }) => id);
  return memory.get(ids);
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

const MAX_SHOWN = 20;
const MAX_TEXT_LENGTH = 100;

/** True if an id is that of an import, and not of a journal entry. */
function isImportId(named: string): boolean {
  return named.startsWith("imp_");
}

/** Undoes a whole import, in all projects, by its id or a unique prefix of it. */
async function undoWholeImport(named: string, options: CommandOptions): Promise<void> {
  const { dryRun = false, json } = options;
  const place = options.data === undefined ? {} : { data: options.data };
  const undone = await withStoredData(place, async (data) => {
    const records = await listImportRecords({ documents: data.store.documents, userId: LOCAL_USER });
    const record = pickByPrefix(named, records, "imports");
    if (record === undefined) return undefined;
    return undoImport(undoDeps(data), record.id, { dryRun });
  });
  if (undone === undefined) throw notFoundError(`import ${named}`, "journal --imports", place);
  printResult({ json }, { dryRun, ...undone }, () => printUndoneImport(undone, dryRun));
}

/** Dependencies of `undo` for an import: the data of this machine. */
export function undoDeps(data: StoredData): UndoImportDeps {
  const { store } = data;
  return {
    open: () => openAllProjects(data),
    eraseAnswers: () => store.server.answers.erase({ owner: LOCAL_USER }),
    store,
    userId: LOCAL_USER,
    clock: SYSTEM_CLOCK,
  };
}

const REASONS = {
  changed: "changed since",
  "other-sources": "also comes from elsewhere",
  existed: "existed before the import",
  continued: "continued since",
} as const;

function printUndoneImport(undone: UndoneImport, dryRun: boolean): string {
  const { id, at, wasUndone, sessions, turns, memories, restored, keptSessions, keptMemories } = undone;
  const name = `${printableLine(id)} of ${moment(at)}`;
  if (wasUndone) return `${name} was already undone; nothing changed.\n`;
  const erased = [count(sessions, "session"), count(turns, "utterance"), count(memories, "memory", "memories")];
  const kept = [
    ...keptMemories.map(
      (memory) => `${printableLine(memory.text, MAX_TEXT_LENGTH)} (${memory.id}, ${REASONS[memory.reason]})`,
    ),
    ...keptSessions.map(
      (session) => `the messages of session ${printableLine(session.id)} (${REASONS[session.reason]})`,
    ),
  ];
  const lines = [
    `${name} ${dryRun ? "would be" : "is"} undone: ${erased.join(", ")} erased, ${restored} restored.`,
    ...(kept.length === 0
      ? []
      : [`${dryRun ? "Would be kept" : "Kept"}:`, ...kept.slice(0, MAX_SHOWN).map((line) => `  ${line}`)]),
    ...(kept.length > MAX_SHOWN ? [`  … and ${kept.length - MAX_SHOWN} more; --json prints all.`] : []),
    ...(dryRun ? [] : ["Import the same files again to restore it."]),
  ];
  return `${lines.join("\n")}\n`;
}
