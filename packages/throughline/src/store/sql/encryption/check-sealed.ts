import { StoreError } from "../../../errors/store-errors.ts";
import type { SqlRow, StoreTransaction } from "../sql-driver.ts";
import { pagesOf, SEALED_TABLES } from "./seal-database.ts";
import { openRows, type SealedTable } from "./sealed-rows.ts";

/** Lists rows that cannot be decrypted. `tables` are the existing tables. */
export async function checkSealed(tx: StoreTransaction, tables: readonly string[]): Promise<string[]> {
  const problems: string[] = [];
  for (const table of SEALED_TABLES.filter(({ name }) => tables.includes(name))) {
    const count = await countUnopened(tx, table);
    const rows = count === 1 ? "1 row" : `${count.toLocaleString("en-US")} rows`;
    if (count > 0) problems.push(`${rows} of ${table.name} cannot be opened: changed, moved, or never sealed.`);
  }
  return problems;
}

async function countUnopened(tx: StoreTransaction, table: SealedTable): Promise<number> {
  const { name, sealing } = table;
  if (sealing?.content === undefined) return 0;
  let count = 0;
  for await (const rows of pagesOf(tx, name, sealing)) {
    count += rows.filter((row) => !canBeOpened(tx, table, row)).length;
  }
  return count;
}

function canBeOpened(tx: StoreTransaction, table: SealedTable, row: SqlRow): boolean {
  try {
    openRows(tx, table, [row]);
    return true;
  } catch (error) {
    if (error instanceof StoreError) return false;
    throw error;
  }
}
