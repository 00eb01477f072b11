import type { Erasure, ErasureReport } from "../../../ports/memory-store.ts";
import { type ErasedIds, withoutErased } from "../../memory-rules.ts";
import { openRows } from "../encryption/sealed-rows.ts";
import { isCount, storedTextOf, textOf, toStoredText } from "../row-values.ts";
import type { SqlRow, SqlValue, StoreDatabase, StoreTransaction } from "../sql-driver.ts";
import { forLists, insertRows, selectIn } from "../statements.ts";
import { countUp, rowsOf, writeRows } from "./commit-memories.ts";
import { CHANGES, changeRow, readChangeRow } from "./journal-rows.ts";
import { readLinks, writeLinks } from "./memory-rows.ts";

/** Journal changes per batch. */
const PAGE = 500;

/** A space within an erasing transaction. */
interface Eraser {
  readonly tx: StoreTransaction;
  readonly space: string;
}

const COUNT_UP = "UPDATE memory_spaces SET revision = revision + 1, epoch = epoch + 1 WHERE space = ?";

/** Erases memories and turns, and all references to them; `undefined` if another writer committed since. */
export async function eraseMemories(
  database: StoreDatabase,
  space: string,
  { memories, turns, write }: Erasure,
): Promise<ErasureReport | undefined> {
  if (write !== undefined && !isCount(write.revision)) return undefined;
  const rows = write && (await rowsOf(space, write));
  const erasing = database.erase(async (tx) => {
    // First, so that writers that have read the erased data fail when they write it again.
    if (write === undefined) await tx.run(COUNT_UP, [space]);
    else if (!(await countUp(tx, space, write.revision, 1))) throw new RevisionConflict();
    const report = await eraseRows({ tx, space }, { memories, turns }, new Set(rows?.ids));
    if (rows !== undefined) await writeRows(tx, space, rows);
    return report;
  });
  return erasing.catch((error: unknown) => {
    if (error instanceof RevisionConflict) return undefined;
    throw error;
  });
}

/** Ends a transaction that erases nothing: no file has to be cleaned after it. */
class RevisionConflict extends Error {}

/** Rows of rewritten memories are not deleted but replaced later, so that their use counts stay. */
async function eraseRows(eraser: Eraser, erasure: Erasure, rewritten: ReadonlySet<string>): Promise<ErasureReport> {
  const [memories, turns] = [erasure.memories.map(toStoredText), erasure.turns.map(toStoredText)];
  const contradictions = await eraseContradictions(eraser, memories);
  const erased = {
    memories: new Set(erasure.memories),
    contradictions: new Set(contradictions),
    turns: new Set(erasure.turns),
  };
  const judgements = await eraseJudgements(eraser, memories);
  const journalChanges = await eraseFromJournal(eraser, erased);
  await eraseReferences(eraser, erased.memories);
  await eraseBy(eraser, "search_entries", "id", [...memories, ...turns]);
  await eraseBy(eraser, "episode_artifacts", "episode_id", memories);
  await eraser.tx.run("DELETE FROM blobs WHERE space = ?", [eraser.space]);
  return {
    memories: await eraseBy(
      eraser,
      "memories",
      "id",
      memories.filter((id) => !rewritten.has(id)),
    ),
    turns: await eraseBy(eraser, "turns", "id", turns),
    contradictions: contradictions.length,
    journalChanges,
    judgements,
  };
}

/** Returns the number of deleted rows. */
async function eraseBy({ tx, space }: Eraser, table: string, column: string, values: readonly SqlValue[]) {
  const text = (list: string) => `DELETE FROM ${table} WHERE space = ? AND ${column} IN (${list})`;
  const counts = await forLists(values, (list, some) => tx.run(text(list), [space, ...some]));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** Returns the deleted ids. */
async function eraseContradictions({ tx, space }: Eraser, memories: readonly string[]): Promise<string[]> {
  const erase = (column: string) =>
    selectIn(
      tx,
      (list) => `DELETE FROM contradictions WHERE space = ? AND ${column} IN (${list}) RETURNING id`,
      [space],
      memories,
    );
  return [...(await erase("memory_a")), ...(await erase("memory_b"))].map((row) => storedTextOf(row, "id"));
}

async function eraseJudgements(eraser: Eraser, memories: readonly string[]): Promise<number> {
  const { tx, space } = eraser;
  const text = (list: string) => `SELECT key FROM judgement_memories WHERE space = ? AND memory_id IN (${list})`;
  const keys = [...new Set((await selectIn(tx, text, [space], memories)).map((row) => textOf(row, "key")))];
  await eraseBy(eraser, "judgement_memories", "key", keys);
  return eraseBy(eraser, "judgements", "key", keys);
}

/** Removes references to erased memories from other memories. */
async function eraseReferences({ tx, space }: Eraser, memories: ReadonlySet<string>): Promise<void> {
  const linked = await tx.all("SELECT id, links FROM memories WHERE space = ? AND links IS NOT NULL", [space]);
  for (const row of linked) {
    const links = readLinks(row);
    const kept = links.filter((id) => !memories.has(id));
    if (kept.length === links.length) continue;
    const text = "UPDATE memories SET links = ? WHERE space = ? AND id = ?";
    await tx.run(text, [writeLinks(kept), space, textOf(row, "id")]);
  }
  for (const column of ["supersedes", "superseded_by"]) {
    const text = (list: string) => `UPDATE memories SET ${column} = NULL WHERE space = ? AND ${column} IN (${list})`;
    await forLists([...memories].map(toStoredText), (list, some) => tx.run(text(list), [space, ...some]));
  }
}

/** Returns the number of deleted changes. Empty entries are deleted too. */
async function eraseFromJournal(eraser: Eraser, erased: ErasedIds): Promise<number> {
  const entries = [
    ...(await eraseChanges(eraser, "memory", erased.memories)),
    ...(await eraseChanges(eraser, "contradiction", erased.contradictions)),
    ...(await eraseChanges(eraser, "turn", erased.turns)),
    ...(await eraseFromOthers(eraser, erased)),
  ];
  const { tx, space } = eraser;
  const text = (list: string) =>
    `DELETE FROM memory_journal WHERE space = ? AND id IN (${list}) AND NOT EXISTS
       (SELECT 1 FROM journal_changes WHERE space = ? AND entry_id = memory_journal.id)`;
  await forLists([...new Set(entries)], (list, some) => tx.run(text(list), [space, ...some, space]));
  return entries.length;
}

/** Deletes changes. Returns the entry of each. */
async function eraseChanges({ tx, space }: Eraser, kind: string, ids: ReadonlySet<string>): Promise<string[]> {
  const text = (list: string) =>
    `DELETE FROM journal_changes WHERE space = ? AND kind = ? AND id IN (${list}) RETURNING entry_id`;
  const rows = await selectIn(tx, text, [space, kind], [...ids].map(toStoredText));
  return rows.map((row) => textOf(row, "entry_id"));
}

/**
 * Removes references to erased memories from other changes of the journal. Returns the entry of each deleted change.
 */
async function eraseFromOthers({ tx, space }: Eraser, erased: ErasedIds): Promise<string[]> {
  const text = `SELECT ${CHANGES.columns.join(", ")} FROM journal_changes
    WHERE space = ? AND names_others = 1 AND (entry_id, position) > (?, ?) ORDER BY entry_id, position LIMIT ${PAGE}`;
  const erasedIds: string[] = [];
  let last: readonly [entry: SqlValue, position: SqlValue] = ["", -1];
  for (;;) {
    const rows = await tx.all(text, [space, ...last]);
    for (const row of openRows(tx, CHANGES, rows))
      if (await eraseFromChange({ tx, space }, row, erased)) erasedIds.push(textOf(row, "entry_id"));
    const { entry_id: entry = null, position = null } = rows.at(-1) ?? {};
    if (rows.length < PAGE) return erasedIds;
    last = [entry, position];
  }
}

/** True if the whole change is deleted. */
async function eraseFromChange({ tx, space }: Eraser, row: SqlRow, erased: ErasedIds): Promise<boolean> {
  const change = readChangeRow(row);
  const left = withoutErased(change, erased);
  const place = [space, row.entry_id ?? null, row.position ?? null];
  const text = "DELETE FROM journal_changes WHERE space = ? AND entry_id = ? AND position = ?";
  if (left === undefined) await tx.run(text, place);
  else if (left !== change) await insertRows(tx, CHANGES, [changeRow(place, left)]);
  return left === undefined;
}
