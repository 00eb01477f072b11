import type { StoredJudgement } from "../../../ports/memory-shelf.ts";
import type { SqlDriver, SqlTransaction } from "../sql-driver.ts";
import { insertRows, type Table } from "../statements.ts";
import { toStoredText } from "../stored-text.ts";
import { lookupKey } from "./lookup-key.ts";

const JUDGEMENTS: Table = {
  name: "judgements",
  columns: ["space", "key", "contradicts"],
  replacedBy: ["space", "key"],
};
const JUDGED: Table = { name: "judgement_memories", columns: ["space", "key", "memory_id"] };

export async function readJudgement(tx: SqlTransaction, space: string, key: string): Promise<boolean | undefined> {
  const text = "SELECT contradicts FROM judgements WHERE space = ? AND key = ?";
  const [row] = await tx.all(text, [space, lookupKey(key)]);
  return row && row.contradicts === 1;
}

export async function keepJudgement(database: SqlDriver, space: string, judgement: StoredJudgement): Promise<void> {
  const key = lookupKey(judgement.key);
  const ids = [...new Set(judgement.memoryIds)].map(toStoredText);
  await database.write(async (tx) => {
    await insertRows(tx, JUDGEMENTS, [[space, key, Number(judgement.contradicts)]]);
    await tx.run("DELETE FROM judgement_memories WHERE space = ? AND key = ?", [space, key]);
    await insertRows(
      tx,
      JUDGED,
      ids.map((id) => [space, key, id]),
    );
  });
}
