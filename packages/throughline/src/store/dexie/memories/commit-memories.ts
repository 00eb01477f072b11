import type { MemoryCommit, StoredMemory } from "../../../ports/memory-store.ts";
import { addUnique } from "../add-unique.ts";
import { blobRows } from "../blob-row.ts";
import type { Database } from "../database.ts";
import type {
  BlobRow,
  ContradictionRow,
  EntryRow,
  JournalRow,
  MemoryRow,
  SpaceRow,
  TableName,
  Tables,
  TurnRow,
} from "../tables.ts";
import { contradictionRow, entryRow, journalRow, memoryRow, turnRow } from "./memory-row.ts";

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
export interface CommitRows {
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
