import type { JournalEntry } from "../../ports/memory-store.ts";

/**
 * The memories that somebody brought back by an undo after they had been put away. Consolidation leaves them: it does not
 * do again in the next night what a person has undone. An undo that was undone itself brings nothing back.
 */
export function broughtBack(journal: readonly JournalEntry[]): ReadonlySet<string> {
  const undone = new Set(journal.flatMap(({ undoes }) => undoes ?? []));
  const ids = journal
    .filter(({ id, undoes }) => undoes !== undefined && !undone.has(id))
    .flatMap(({ changes }) => changes)
    .filter(({ before }) => before !== undefined && "archivedAt" in before && before.archivedAt !== undefined)
    .map(({ id }) => id);
  return new Set(ids);
}
