import { omitUndefined } from "../../internal/json.ts";
import { type Contradiction, isCurrent, type Memory, type Utterance } from "../../ports/memory.ts";
import type {
  JournalChange,
  JournalEntry,
  MemoryCommit,
  SearchEntry,
  StoredMemory,
  StoredSearchEntry,
} from "../../ports/memory-store.ts";
import type { StoredBlob } from "../../ports/store.ts";
import { frozenCopy } from "../frozen-copy.ts";
import type { Database } from "./database.ts";
import {
  addUnique,
  type BlobRow,
  type ContradictionRow,
  type EntryRow,
  type JournalRow,
  type MemoryRow,
  type Mention,
  type SpaceRow,
  type TableName,
  type Tables,
  type TurnRow,
} from "./tables.ts";

/** The tables that a commit writes to. */
export const WRITTEN: readonly TableName[] = [
  ...(["spaces", "memory", "turns", "entries", "contradictions", "journal", "blobs"] as const),
];

/** Writes the whole commit; `false` if another writer committed since. */
export function commitMemories(database: Database, space: string, commit: MemoryCommit): Promise<boolean> {
  // Built before the transaction starts, so that others do not wait.
  const rows = rowsOf(space, commit);
  return database.write(WRITTEN, async (tables) => {
    const head = await headOf(tables, space);
    if (head.revision !== commit.revision) return false;
    await tables.spaces.put({ ...head, revision: head.revision + 1 });
    await writeRows(tables, rows);
    return true;
  });
}

/** Head of a space. An unwritten space has revision 0. */
export async function headOf({ spaces }: Tables, space: string): Promise<SpaceRow> {
  return (await spaces.get(space)) ?? { space, revision: 0, epoch: 0 };
}

/** A commit as rows of the tables. */
interface CommitRows {
  readonly memories: readonly MemoryRow[];
  readonly turns: readonly TurnRow[];
  readonly entries: readonly EntryRow[];
  readonly contradictions: readonly ContradictionRow[];
  readonly journal: readonly JournalRow[];
  readonly blobs: readonly BlobRow[];
}

export function rowsOf(space: string, commit: MemoryCommit): CommitRows {
  const { memories = [], turns = [], entries = [], contradictions = [], journal = [] } = commit;
  const revision = commit.revision + 1;
  return {
    memories: lastOfEach(memories, ({ memory }) => memory.id).map((stored) => memoryRow(space, stored)),
    turns: turns.map((turn) => turnRow(space, turn)),
    entries: entries.map((entry) => entryRow(space, revision, entry)),
    contradictions: contradictions.map((one) => contradictionRow(space, one)),
    journal: journal.map((entry, position) => journalRow(space, revision, position, entry)),
    blobs: blobRows(space, commit.blobs ?? []),
  };
}

/** Writes the whole commit. The caller has incremented the revision. */
export async function writeRows(tables: Tables, rows: CommitRows): Promise<void> {
  await tables.memory.bulkPut(await withCounts(tables, rows.memories));
  await tables.turns.bulkPut(rows.turns);
  await tables.entries.bulkPut(rows.entries);
  await tables.contradictions.bulkPut(rows.contradictions);
  await addUnique(tables.journal, rows.journal, "journal entry");
  if (rows.blobs.length > 0) await tables.blobs.bulkPut(rows.blobs);
}

/** Use counts are kept here; writers do not change them. */
async function withCounts({ memory: table }: Tables, rows: readonly MemoryRow[]): Promise<MemoryRow[]> {
  const known = await table.bulkGet(rows.map(({ space, id }) => [space, id]));
  return rows.map((row, i) => {
    const usage = known[i]?.memory.usage;
    return usage === undefined ? row : { ...row, memory: { ...row.memory, usage } };
  });
}

function lastOfEach(items: readonly StoredMemory[], idOf: (item: StoredMemory) => string): StoredMemory[] {
  return [...new Map(items.map((item) => [idOf(item), item])).values()];
}

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

function turnRow(space: string, turn: Utterance): TurnRow {
  const { id, sessionId, position } = turn;
  return { space, id, sessionId, position, turn: frozenCopy(turn) };
}

function entryRow(space: string, revision: number, entry: SearchEntry): EntryRow {
  return { ...frozenCopy(entry), space, revision, madeWith: entry.embedder ?? 0 };
}

export function readEntryRow({ space: _, madeWith: __, ...entry }: EntryRow): StoredSearchEntry {
  return entry;
}

function contradictionRow(space: string, contradiction: Contradiction): ContradictionRow {
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

/** Copies only the given bytes, not the whole buffer that they may be a view of. */
export function blobRows(space: string, blobs: readonly StoredBlob[]): BlobRow[] {
  return blobs.map(({ name, bytes }) => ({ space, name, bytes: new Uint8Array(bytes) }));
}
