import type { Memory, MemoryKind, MemoryService } from "throughline";
import type { MemoryLevels, MemorySource } from "throughline/memory";
import { moment } from "../terminal/print-values.ts";
import { printableLine } from "../terminal/printable.ts";

/** The text of a fact, or the title of another memory, in one line. */
export function memoryLine({
  kind,
  levels,
}: {
  readonly kind?: MemoryKind;
  readonly levels: Pick<MemoryLevels, "full">;
}): string {
  if (kind === undefined || kind === "fact") return printableLine(levels.full);
  const [title = ""] = levels.full.trim().split("\n");
  return printableLine(title.replace(/:$/, ""));
}

/** Notes about a memory: pinned, ended, archived, visibility. */
export function notesOf({
  pinned,
  validTo,
  archivedAt,
  scope,
  projectId,
}: Pick<Memory, "pinned" | "validTo" | "archivedAt" | "scope"> & {
  readonly projectId?: string | undefined;
}): string[] {
  const project = projectId === undefined ? [] : [`project ${printableLine(projectId)}`];
  return [
    ...(pinned ? ["pinned"] : []),
    ...(validTo === undefined ? [] : [`until ${moment(validTo)}`]),
    ...(archivedAt === undefined ? [] : [`archived ${moment(archivedAt)}`]),
    ...(scope === "system" ? ["visible to everyone"] : scope === "project-shared" ? ["shared"] : []),
    ...project,
  ];
}

/** Speaker, session and time of a source. */
export function originOf({ speaker, sessionId, at }: Omit<MemorySource, "quote">): string {
  const lines = [
    ...(speaker === undefined ? [] : [printableLine(speaker)]),
    ...(sessionId === undefined ? [] : [`session ${printableLine(sessionId)}`]),
    ...(at === undefined ? [] : [moment(at)]),
  ];
  return lines.join(" · ");
}

/** Journal entries to search for the last change. */
const LATEST = 50;

/** Id of the journal entry with the last change of an item. */
export async function lastChangeOf(memory: MemoryService, id: string): Promise<string | undefined> {
  const journal = await memory.journal({ limit: LATEST });
  return journal.find(({ changes }) => changes.some((change) => change.id === id))?.id;
}

/** The command that undoes a change. */
export function undoHint(journalId: string | undefined): string[] {
  return journalId === undefined ? [] : [`Undo: throughline undo ${printableLine(journalId)}`];
}
