import type { JournalEntry } from "../ports/memory-store.ts";

/** True if a journal entry changed the item with this id. */
export function hasChange({ changes }: JournalEntry, id: string): boolean {
  return changes.some((change) => change.id === id);
}
