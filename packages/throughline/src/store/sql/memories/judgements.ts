import type { StoredJudgement } from "../../../ports/memory-store.ts";
import { lookupValue } from "../encryption/sealed-rows.ts";
import type { StoreDatabase, StoreTransaction } from "../sql-driver.ts";
import { insertRows, type Table } from "../statements.ts";
import { toStoredText } from "../stored-text.ts";
import { lookupKey } from "./lookup-key.ts";

export const JUDGEMENTS: Table = {
  name: "judgements",
  columns: ["space", "key", "contradicts"],
  replacedBy: ["space", "key"],
  sealing: { key: ["space", "key"], digested: ["key"] },
};
export const JUDGED: Table = {
  name: "judgement_memories",
  columns: ["space", "key", "memory_id"],
  sealing: { key: ["space", "key", "memory_id"], digested: ["key"] },
};

export async function readJudgement(tx: StoreTransaction, space: string, key: string): Promise<boolean | undefined> {
  const text = "SELECT contradicts FROM judgements WHERE space = ? AND key = ?";
  const [row] = await tx.all(text, [space, lookupValue(tx, "key", space, lookupKey(key))]);
  return row && row.contradicts === 1;
}

export async function keepJudgement(database: StoreDatabase, space: string, judgement: StoredJudgement): Promise<void> {
  const key = lookupKey(judgement.key);
  const ids = [...new Set(judgement.memoryIds)].map(toStoredText);
  await database.write(async (tx) => {
    await insertRows(tx, JUDGEMENTS, [[space, key, Number(judgement.contradicts)]]);
    const found = lookupValue(tx, "key", space, key);
    await tx.run("DELETE FROM judgement_memories WHERE space = ? AND key = ?", [space, found]);
    await insertRows(
      tx,
      JUDGED,
      ids.map((id) => [space, key, id]),
    );
  });
}
