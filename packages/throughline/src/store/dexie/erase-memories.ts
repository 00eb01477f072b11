import { omitUndefined } from "../../internal/json.ts";
import type { Erasure, ErasureReport } from "../../ports/memory-store.ts";
import { type ErasedIds, withoutErased, withoutReferences } from "../memory-rules.ts";
import { headOf, journalRow, memoryRow, mentionsOf, rowsOf, WRITTEN, writeRows } from "./commit-memories.ts";
import type { Database } from "./database.ts";
import { contradictionsOf } from "./read-memories.ts";
import { beginningWith, type JournalRow, refuseTaken, type Tables } from "./tables.ts";

/**
 * Erases memories and turns, and all references to them; `undefined` if another writer committed since. The
 * browser may keep deleted data in its files until it compacts them.
 */
export function eraseMemories(
  database: Database,
  space: string,
  { memories, turns, write }: Erasure,
): Promise<ErasureReport | undefined> {
  const rows = write && rowsOf(space, write);
  const rewritten = new Set(rows?.memories.map(({ id }) => id));
  const work = async (tables: Tables) => {
    const head = await headOf(tables, space);
    if (write !== undefined && write.revision !== head.revision) return undefined;
    // An id is taken even if its entry is about to be deleted.
    await refuseTaken(tables.journal, keysOf(space, rows?.journal.map(({ id }) => id) ?? []), "journal entry");
    if (write !== undefined || head.revision > 0) {
      await tables.spaces.put({ space, revision: head.revision + 1, epoch: head.epoch + 1 });
    }
    const report = await eraseRows(tables, space, { memories, turns }, rewritten);
    if (rows !== undefined) await writeRows(tables, rows);
    return report;
  };
  return database.write([...WRITTEN, "judgements"], work, (report) => report !== undefined);
}

/** Rows of rewritten memories are not deleted but replaced, so that their use counts stay. */
async function eraseRows(
  tables: Tables,
  space: string,
  erasure: Erasure,
  rewritten: ReadonlySet<string>,
): Promise<ErasureReport> {
  const [memories, turns] = [new Set(erasure.memories), new Set(erasure.turns)];
  const contradictions = new Set((await contradictionsOf(tables, space, [...memories])).map(({ id }) => id));
  await tables.contradictions.bulkDelete(keysOf(space, contradictions));
  const judgements = await tables.judgements.where("mentions").anyOf(keysOf(space, memories)).distinct().primaryKeys();
  await tables.judgements.bulkDelete(judgements);
  const journalChanges = await eraseFromJournal(tables, space, { memories, contradictions, turns });
  await eraseReferences(tables, space, memories);
  await tables.entries.bulkDelete(keysOf(space, [...memories, ...turns]));
  await beginningWith(tables.blobs, "[space+name]", [space]).delete();
  const going = keysOf(space, memories).filter(([, id]) => !rewritten.has(id));
  const report = {
    memories: countOf(await tables.memory.bulkGet(going)),
    turns: countOf(await tables.turns.bulkGet(keysOf(space, turns))),
    contradictions: contradictions.size,
    journalChanges,
    judgements: judgements.length,
  };
  await tables.memory.bulkDelete(going);
  await tables.turns.bulkDelete(keysOf(space, turns));
  return report;
}

/** Returns the number of deleted changes. Empty entries are deleted too. */
async function eraseFromJournal({ journal }: Tables, space: string, erased: ErasedIds): Promise<number> {
  const ids = [...erased.memories, ...erased.contradictions, ...erased.turns];
  const rows = await journal.where("mentions").anyOf(mentionsOf(space, ids)).distinct().toArray();
  let count = 0;
  const left: JournalRow[] = [];
  for (const { entry, revision, position } of rows) {
    const changes = entry.changes.flatMap((change) => withoutErased(change, erased) ?? []);
    count += entry.changes.length - changes.length;
    if (changes.length > 0) left.push(journalRow(space, revision, position, omitUndefined({ ...entry, changes })));
  }
  await journal.bulkDelete(rows.map(({ id }) => [space, id]));
  await journal.bulkPut(left);
  return count;
}

/** Removes references to erased memories from other memories. */
async function eraseReferences(
  { memory: table }: Tables,
  space: string,
  erasedIds: ReadonlySet<string>,
): Promise<void> {
  const rows = await table
    .where("mentions")
    .anyOf(mentionsOf(space, [...erasedIds]))
    .distinct()
    .toArray();
  await table.bulkPut(
    rows.map((row) => memoryRow(space, { ...row, memory: withoutReferences(row.memory, erasedIds) })),
  );
}

function keysOf(space: string, ids: Iterable<string>): [space: string, id: string][] {
  return [...ids].map((id) => [space, id]);
}

function countOf(rows: readonly unknown[]): number {
  return rows.filter((row) => row !== undefined).length;
}
