import type { JournalEntry } from "../../ports/memory-store.ts";

/** What was done at once in several spaces is one entry, with all of its changes. */
export function mergeEntries(entries: readonly JournalEntry[]): readonly JournalEntry[] {
  const byId = new Map<string, JournalEntry>();
  for (const entry of entries) {
    const known = byId.get(entry.id);
    byId.set(entry.id, known === undefined ? entry : { ...known, changes: [...known.changes, ...entry.changes] });
  }
  return [...byId.values()];
}
