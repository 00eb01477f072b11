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
    `UPDATE memories SET ${column} = ${column} + 1, last_accessed = CASE WHEN last_accessed > ? THEN last_accessed ELSE ? END
     WHERE space = ? AND id IN (${list})`;
  // Sorted, so that two writers that count the same memories wait for each other in the same order.
  const stored = [...new Set(ids)].sort().map(toStoredText);
  await forLists(stored, (list, some) => tx.run(text(list), [at, at, space, ...some]));
}
