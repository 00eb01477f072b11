import type { JournalEntry } from "../../ports/memory-store.ts";

/**
 * Ids of archived memories that a user restored with an undo. Consolidation skips them, so it does not repeat what a user
 * has undone. An undo that was itself undone does not count.
 */
export function restoredIds(journal: readonly JournalEntry[]): ReadonlySet<string> {
  const undone = new Set(journal.flatMap(({ undoes }) => undoes ?? []));
  const ids = journal
    .filter(({ id, undoes }) => undoes !== undefined && !undone.has(id))
    .flatMap(({ changes }) => changes)
    .filter(({ before }) => before !== undefined && "archivedAt" in before && before.archivedAt !== undefined)
    .map(({ id }) => id);
  return new Set(ids);
}
