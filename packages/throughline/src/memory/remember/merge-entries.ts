import type { JournalEntry } from "../../ports/memory-store.ts";

/** Merges entries with the same id: one operation in several spaces is one entry with the changes of all. */
export function mergeEntries(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const byId = new Map<string, JournalEntry>();
  for (const entry of entries) {
    const known = byId.get(entry.id);
    byId.set(entry.id, known === undefined ? entry : { ...known, changes: [...known.changes, ...entry.changes] });
  }
  return [...byId.values()];
}
