import process from "node:process";
import { listImportRecords, type UndoImportDeps, type UndoneImport, undoImport } from "throughline/internal";
import { type DataOptions, LOCAL_USER, openAllProjects, type StoredData, withStoredData } from "../data/open-data.ts";
import { notFoundError, pickByPrefix } from "../data/stored-memory.ts";
import { count, moment } from "../terminal/print-values.ts";
import { printJson } from "../terminal/print-json.ts";
import { printableLine } from "../terminal/printable.ts";

const SHOWN = 20;
const MAX_TEXT_LENGTH = 100;

interface UndoImportOptions extends DataOptions {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** True if an id is that of an import, and not of a journal entry. */
export function isImportId(named: string): boolean {
  return named.startsWith("imp_");
}

/** Undoes a whole import, in all projects, by its id or a unique prefix of it. */
export async function undoWholeImport(named: string, options: UndoImportOptions): Promise<void> {
  const { dryRun = false, json } = options;
  const place = options.data === undefined ? {} : { data: options.data };
  const undone = await withStoredData(place, async (data) => {
    const records = await listImportRecords({ documents: data.store.documents, userId: LOCAL_USER });
    const record = pickByPrefix(named, records, "imports");
    if (record === undefined) return undefined;
    return undoImport(undoDeps(data), record.id, { dryRun });
  });
  if (undone === undefined) throw notFoundError(`import ${named}`, "journal --imports", place);
  process.stdout.write(json ? printJson({ dryRun, ...undone }) : printUndoneImport(undone, dryRun));
}

/** Dependencies of `undo` for an import: the data of this machine. */
export function undoDeps(data: StoredData): UndoImportDeps {
  const { store } = data;
  return {
    open: () => openAllProjects(data),
    eraseAnswers: () => store.server.answers.erase({ owner: LOCAL_USER }),
    store,
    userId: LOCAL_USER,
    clock: { now: () => Date.now() },
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
      : [`${dryRun ? "Would be kept" : "Kept"}:`, ...kept.slice(0, SHOWN).map((line) => `  ${line}`)]),
    ...(kept.length > SHOWN ? [`  … and ${kept.length - SHOWN} more; --json prints all.`] : []),
    ...(dryRun ? [] : ["Import the same files again to restore it."]),
  ];
  return `${lines.join("\n")}\n`;
}
