import type { Contradiction, Memory, Turn } from "../../../ports/memory.ts";
import type { JournalChange, JournalEntry, SearchEntry, StoredSearchEntry } from "../../../ports/memory-store.ts";
import { frozenCopy } from "../../in-process/frozen-copy.ts";
import type { ContradictionRow, EntryRow, JournalRow, TurnRow } from "../tables.ts";
import { mentionsOf } from "./memory-row.ts";

export function turnRow(space: string, turn: Turn): TurnRow {
  const { id, sessionId, position } = turn;
  return { space, id, sessionId, position, turn: frozenCopy(turn) };
}

export function entryRow(space: string, revision: number, entry: SearchEntry): EntryRow {
  return { ...frozenCopy(entry), space, revision, madeWith: entry.embedder ?? 0 };
}

export function readEntryRow({ space: _, madeWith: __, ...entry }: EntryRow): StoredSearchEntry {
  return entry;
}

export function contradictionRow(space: string, contradiction: Contradiction): ContradictionRow {
  const { id, memoryA, memoryB, status } = contradiction;
  return { space, id, memoryA, memoryB, status, contradiction: frozenCopy(contradiction) };
}

export function journalRow(space: string, revision: number, position: number, entry: JournalEntry): JournalRow {
  const mentions = mentionsOf(space, entry.changes.flatMap(idsIn));
  return { space, id: entry.id, revision, position, mentions, entry: frozenCopy(entry) };
}

/** Ids of all memories and turns that a change refers to, for erasures. */
function idsIn({ id, before }: JournalChange): (string | undefined)[] {
  const known: Partial<Memory & Contradiction & Turn> = before ?? {};
  const { links = [], supersedes, supersededBy, memoryA, memoryB, marks = [] } = known;
  return [id, ...links, supersedes, supersededBy, memoryA, memoryB, ...marks.map(({ by }) => by)];
}
