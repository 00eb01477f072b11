import { styleText } from "node:util";
import type { Command } from "commander";
import type { MemoryService } from "throughline";
import { type ImportRecord, listImportRecords } from "throughline/internal/engine";
import type { JournalEntry } from "throughline/store";
import { type CommandOptions, LOCAL_USER, withStoredData } from "../data/open-data.ts";
import { nothingRemembered, withStoredMemory } from "../data/stored-memory.ts";
import { allProjectsOption, jsonListOption, projectOption, wholeNumber } from "../terminal/options.ts";
import { count, moment, printableLine, printResult } from "../terminal/print-values.ts";

interface JournalOptions extends CommandOptions {
  readonly limit: number;
  readonly imports?: boolean;
}

export function addJournalCommand(program: Command): void {
  program
    .command("journal")
    .summary("List changes")
    .description("List changes to memories, newest first. `undo` reverts an entry.")
    .option("-n, --limit <number>", "Maximum number of entries", wholeNumber, 20)
    .option("--imports", "List imports instead, of all projects; `undo` reverts a whole one")
    .addOption(projectOption())
    .addOption(allProjectsOption())
    .addOption(jsonListOption())
    .addHelpText("after", "\nExample:\n  throughline journal --limit 5")
    .action((_, command: Command) => showJournal(command.optsWithGlobals()));
}

async function showJournal(options: JournalOptions): Promise<void> {
  if (options.imports) return showImports(options);
  const entries = await withStoredMemory(options, async (memory) => {
    const journal = await memory.journal({ limit: options.limit });
    return options.json ? journal : Promise.all(journal.map((entry) => withText(memory, entry)));
  });
  printResult(options, entries ?? [], () =>
    entries === undefined ? nothingRemembered(options) : printJournal(entries),
  );
}

async function showImports({ limit, json, data }: JournalOptions): Promise<void> {
  const records: readonly ImportRecord[] | undefined = await withStoredData(
    data === undefined ? {} : { data },
    ({ store }) => listImportRecords({ documents: store.documents, userId: LOCAL_USER }),
  );
  const imports = (records ?? []).slice(0, limit).map(({ id, at, sources, sessions, turns, undoneAt = null }) => {
    return { id, at, sources, sessions: Object.keys(sessions).length, utterances: turns.length, undoneAt };
  });
  const lines = imports.map(({ id, at, sources, sessions, utterances, undoneAt }) => {
    const amounts = `${count(sessions, "session")}, ${count(utterances, "utterance")}`;
    const about = undoneAt === null ? amounts : `undone ${moment(undoneAt)}`;
    return `${printableLine(id)}  ${moment(at)}  ${about}  ${sources.map((one) => printableLine(one)).join(", ")}`;
  });
  printResult({ json }, imports, () => (lines.length === 0 ? "No imports yet.\n" : `${lines.join("\n")}\n`));
}

/** Adds the current text of the first affected memory. */
async function withText(memory: MemoryService, entry: JournalEntry): Promise<ShownEntry> {
  const first = entry.changes.find(({ kind }) => kind === "memory");
  return { ...entry, text: first === undefined ? undefined : (await memory.get(first.id))?.levels.full };
}

/** A journal entry with the text of its first memory. */
interface ShownEntry extends JournalEntry {
  readonly text?: string | undefined;
}

const MAX_TEXT_LENGTH = 100;
const ACTION_WIDTH = "consolidate".length;

function printJournal(entries: readonly ShownEntry[]): string {
  if (entries.length === 0) return "No changes yet.\n";
  const undone = new Map(entries.flatMap(({ id, undoes }) => (undoes === undefined ? [] : [[undoes, id] as const])));
  const lines = entries.map((entry) => {
    const { id, at, action, undoes } = entry;
    const by = undone.get(id);
    const notes = [
      ...(undoes === undefined ? [] : [`of ${printableLine(undoes)}`]),
      ...(by === undefined ? [] : [`undone by ${printableLine(by)}`]),
    ];
    const note = notes.length === 0 ? "" : `  ${styleText("dim", `(${notes.join(", ")})`)}`;
    const what = printableLine(action).padEnd(ACTION_WIDTH);
    return `${printableLine(id)}  ${moment(at)}  ${what}  ${about(entry)}${note}`;
  });
  return `${lines.join("\n")}\n`;
}

function about({ changes, text }: ShownEntry): string {
  if (text === undefined) return count(changes.length, "change");
  const more = changes.length - 1;
  return `${printableLine(text, MAX_TEXT_LENGTH)}${more === 0 ? "" : ` and ${count(more, "more change")}`}`;
}
