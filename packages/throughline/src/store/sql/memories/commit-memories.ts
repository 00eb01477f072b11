import { StoreError } from "../../../errors/store-errors.ts";
import { mapYielding } from "../../../internal/yield-to-event-loop.ts";
import type { MemoryCommit } from "../../../ports/memory-store.ts";
import { BLOBS, blobRows } from "../named-rows.ts";
import { isCount, toStoredText } from "../row-values.ts";
import type { SqlTransaction, SqlValue, StoreDatabase, StoreTransaction } from "../sql-driver.ts";
import { forLists, insertRows } from "../statements.ts";
import { CHANGES, CONTRADICTIONS, changeRows, contradictionRow, JOURNAL, journalRow } from "./journal-rows.ts";
import { ARTIFACTS, artifactRows, MEMORIES, memoryRow } from "./memory-rows.ts";
import { ENTRIES, entryRow, TURNS, turnRow } from "./turn-rows.ts";

/** Writes the whole commit; `false` if another writer committed since. */
export async function commitMemories(database: StoreDatabase, name: string, commit: MemoryCommit): Promise<boolean> {
  if (!isCount(commit.revision)) return false;
  const space = toStoredText(name);
  // Built before the transaction starts, so that others do not wait.
  const rows = await rowsOf(space, commit);
  return database.write(async (tx) => {
    if (!(await countUp(tx, space, commit.revision))) return false;
    await writeRows(tx, space, rows);
    return true;
  });
}

/** Writes the whole commit. The caller has incremented the revision. */
export async function writeRows(tx: StoreTransaction, space: string, rows: CommitRows): Promise<void> {
  await insertRows(tx, MEMORIES, rows.memories);
  await replaceArtifacts(tx, space, rows);
  await insertRows(tx, TURNS, rows.turns);
  await insertRows(tx, ENTRIES, rows.entries);
  await insertRows(tx, CONTRADICTIONS, rows.contradictions);
  if ((await insertRows(tx, JOURNAL, rows.journal)) < rows.journal.length) {
    throw new StoreError("duplicate-id", `Duplicate id of a journal entry in space ${space}.`);
  }
  await insertRows(tx, CHANGES, rows.changes);
  await insertRows(tx, BLOBS, rows.blobs);
}

type Rows = readonly (readonly SqlValue[])[];

export interface CommitRows {
  readonly memories: Rows;
  readonly artifacts: Rows;
  /** Of the memories. */
  readonly ids: readonly string[];
  readonly turns: Rows;
  readonly entries: Rows;
  readonly contradictions: Rows;
  readonly journal: Rows;
  readonly changes: Rows;
  readonly blobs: Rows;
}

/** Converts a commit to rows. Yields to other tasks in between. */
export async function rowsOf(space: string, commit: MemoryCommit): Promise<CommitRows> {
  const { turns = [], entries = [], contradictions = [], journal = [] } = commit;
  const revision = commit.revision + 1;
  const memories = lastOfEach(commit.memories ?? [], ({ memory }) => memory.id);
  return {
    memories: await mapYielding(memories, (stored) => memoryRow(space, stored)),
    artifacts: memories.flatMap(({ memory }) => artifactRows(space, memory)),
    ids: memories.map(({ memory }) => toStoredText(memory.id)),
    turns: await mapYielding(
      lastOfEach(turns, ({ id }) => id),
      (turn) => turnRow(space, turn),
    ),
    entries: await mapYielding(
      lastOfEach(entries, ({ id }) => id),
      (entry) => entryRow(space, revision, entry),
    ),
    contradictions: await mapYielding(
      lastOfEach(contradictions, ({ id }) => id),
      (one) => contradictionRow(space, one),
    ),
    journal: journal.map((entry, position) => journalRow(space, revision, position, entry)),
    changes: (await mapYielding(journal, (entry) => changeRows(space, entry))).flat(),
    blobs: blobRows(space, commit.blobs ?? []),
  };
}

function lastOfEach<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  return [...new Map(items.map((item) => [idOf(item), item])).values()];
}

/** A second writer waits here for the first and finds another revision. Increments `epochs` too. */
export async function countUp(tx: SqlTransaction, space: string, revision: number, epochs = 0): Promise<boolean> {
  if (revision === 0) {
    const text = "INSERT INTO memory_spaces (space, revision, epoch) VALUES (?, 1, ?) ON CONFLICT DO NOTHING";
    return (await tx.run(text, [space, epochs])) > 0;
  }
  const text = "UPDATE memory_spaces SET revision = revision + 1, epoch = epoch + ? WHERE space = ? AND revision = ?";
  return (await tx.run(text, [epochs, space, revision])) > 0;
}

async function replaceArtifacts(tx: StoreTransaction, space: string, { ids, artifacts }: CommitRows): Promise<void> {
  await forLists(ids, (list, some) =>
    tx.run(`DELETE FROM episode_artifacts WHERE space = ? AND episode_id IN (${list})`, [space, ...some]),
  );
  await insertRows(tx, ARTIFACTS, artifacts);
}
