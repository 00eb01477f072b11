import { omitUndefined } from "../../../internal/json.ts";
import type { Contradiction, Memory, Utterance } from "../../../ports/memory.ts";
import type {
  JournalChange,
  JournalEntry,
  SearchEntry,
  StoredMemory,
  StoredSearchEntry,
} from "../../../ports/memory-store.ts";
import { frozenCopy } from "../../in-process/frozen-copy.ts";
import { isCurrent } from "../../memory-filters.ts";
import type { ContradictionRow, EntryRow, JournalRow, MemoryRow, Mention, TurnRow } from "../tables.ts";

/** Characters of a text that its index keeps. Lookups compare the rest themselves. */
const MAX_KEY_CHARS = 200;

export function lookupKey(text: string): string {
  return text.slice(0, MAX_KEY_CHARS);
}

/** A memory with all its lookup columns. */
export function memoryRow(space: string, { memory, slot, fingerprint }: StoredMemory): MemoryRow {
  const { links, supersedes, supersededBy } = memory;
  return omitUndefined({
    space,
    id: memory.id,
    category: memory.category,
    lastSeen: memory.lastSeenAt,
    confidence: memory.confidence,
    lastSeenConversationId: memory.source.sessionId,
    slot,
    slotKey: slot === undefined ? undefined : lookupKey(slot),
    fingerprint,
    fingerprintKey: lookupKey(fingerprint),
    ofChat: memory.category === undefined ? undefined : (1 as const),
    current: isCurrent(memory) ? (1 as const) : undefined,
    mentions: mentionsOf(space, [...links, supersedes, supersededBy]),
    memory: frozenCopy(memory),
  });
}

/** Subjects of the memory, without duplicates. */
export function mentionsOf(space: string, ids: readonly (string | undefined)[]): Mention[] {
  return [...new Set(ids)].flatMap((id) => (id === undefined ? [] : [[space, id] as const]));
}

export function turnRow(space: string, turn: Utterance): TurnRow {
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
  const known: Partial<Memory & Contradiction & Utterance> = before ?? {};
  const { links = [], supersedes, supersededBy, memoryA, memoryB, marks = [] } = known;
  return [id, ...links, supersedes, supersededBy, memoryA, memoryB, ...marks.map(({ by }) => by)];
}
