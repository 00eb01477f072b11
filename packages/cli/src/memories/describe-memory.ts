import type { Memory, MemoryService } from "throughline";
import type { MemoryLevels, MemorySource } from "throughline/memory";
import { moment } from "../format-values.ts";
import { printableLine } from "../printable.ts";

/** What a memory says, within a line. */
export function saying({ levels }: { readonly levels: Pick<MemoryLevels, "full"> }): string {
  return printableLine(levels.full);
}

/** What else there is to know of it: pins, ends, who sees it. */
export function notesOf({ pinned, validTo, archivedAt, scope, projectId }: Memory): string[] {
  const project = projectId === undefined ? [] : [`project ${printableLine(projectId)}`];
  return [
    ...(pinned ? ["pinned"] : []),
    ...(validTo === undefined ? [] : [`until ${moment(validTo)}`]),
    ...(archivedAt === undefined ? [] : [`forgotten ${moment(archivedAt)}`]),
    ...(scope === "system" ? ["for everybody"] : scope === "project-shared" ? ["shared"] : []),
    ...project,
  ];
}

/** Who said it, where and when. */
export function originOf({ speaker, sessionId, at }: Omit<MemorySource, "quote">): string {
  const said = [
    ...(speaker === undefined ? [] : [printableLine(speaker)]),
    ...(sessionId === undefined ? [] : [`session ${printableLine(sessionId)}`]),
    ...(at === undefined ? [] : [moment(at)]),
  ];
  return said.join(" · ");
}

/** Entries of the journal that are looked through for the last change of something. */
const LATEST = 50;

/** The entry of the journal that says what was last done to something. */
export async function lastChangeOf(memory: MemoryService, id: string): Promise<string | undefined> {
  const journal = await memory.journal({ limit: LATEST });
  return journal.find(({ changes }) => changes.some((change) => change.id === id))?.id;
}

/** How to take back what was done. */
export function undoHint(journalId: string | undefined): string[] {
  return journalId === undefined ? [] : [`Undo: throughline undo ${printableLine(journalId)}`];
}
