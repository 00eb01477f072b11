import { countsOf } from "../../../internal/counts-of.ts";
import type { MemoryRecord } from "../../../ports/memory-store.ts";
import type { SqlTransaction, StoreDatabase } from "../sql-driver.ts";
import { forLists } from "../statements.ts";
import { toStoredText } from "../stored-text.ts";
import { putJudgement } from "./judgements.ts";
import { USAGE_COLUMNS } from "./memory-rows.ts";

/** Writes use counts and judgements in one transaction. */
export async function recordUse(
  database: StoreDatabase,
  space: string,
  { uses, judgements = [] }: MemoryRecord,
): Promise<void> {
  if (uses === undefined && judgements.length === 0) return;
  await database.write(async (tx) => {
    if (uses !== undefined) await countUses(tx, space, uses);
    for (const judgement of judgements) await putJudgement(tx, space, judgement);
  });
}

async function countUses(
  tx: SqlTransaction,
  space: string,
  { ids, use, at }: NonNullable<MemoryRecord["uses"]>,
): Promise<void> {
  const column = USAGE_COLUMNS[use];
  const text = (list: string) =>
    `UPDATE memories SET ${column} = ${column} + ?, last_accessed = CASE WHEN last_accessed > ? THEN last_accessed ELSE ? END
     WHERE space = ? AND id IN (${list})`;
  // Sorted, and all in the first round, so that two writers that count the same memories wait for each other in the
  // same order.
  const counts = [...countsOf(ids)].sort(([a], [b]) => (a < b ? -1 : 1));
  let counted = 0;
  for (const times of [...new Set(counts.map(([, count]) => count))].sort((a, b) => a - b)) {
    const some = counts.filter(([, count]) => count >= times).map(([id]) => toStoredText(id));
    const more = times - counted;
    await forLists(some, (list, part) => tx.run(text(list), [more, at, at, space, ...part]));
    counted = times;
  }
}
