import type { NewJudgement, StoredJudgement } from "../../../ports/memory-store.ts";
import { lookupValue } from "../encryption/sealed-rows.ts";
import { textOf, toStoredText } from "../row-values.ts";
import type { StoreTransaction } from "../sql-driver.ts";
import { insertRows, selectIn, type Table } from "../statements.ts";
import { lookupKey } from "./memory-rows.ts";

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

/** In the order of `keys`. */
export async function judgementsByKey(
  tx: StoreTransaction,
  space: string,
  keys: readonly string[],
): Promise<StoredJudgement[]> {
  const stored = new Map(keys.map((key) => [key, lookupValue(tx, "key", space, lookupKey(key))]));
  const text = (list: string) => `SELECT key, contradicts FROM judgements WHERE space = ? AND key IN (${list})`;
  const rows = await selectIn(tx, text, [space], [...new Set(stored.values())]);
  const found = new Map(rows.map((row) => [textOf(row, "key"), row.contradicts === 1]));
  return keys.flatMap((key) => {
    const contradicts = found.get(stored.get(key) ?? "");
    return contradicts === undefined ? [] : [{ key, contradicts }];
  });
}

export async function putJudgement(tx: StoreTransaction, space: string, judgement: NewJudgement): Promise<void> {
  const key = lookupKey(judgement.key);
  const ids = [...new Set(judgement.memoryIds)].map(toStoredText);
  await insertRows(tx, JUDGEMENTS, [[space, key, Number(judgement.contradicts)]]);
  const found = lookupValue(tx, "key", space, key);
  await tx.run("DELETE FROM judgement_memories WHERE space = ? AND key = ?", [space, found]);
  await insertRows(
    tx,
    JUDGED,
    ids.map((id) => [space, key, id]),
  );
}
