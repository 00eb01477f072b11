import { Dexie, type Table } from "dexie";
import { StoreError } from "../../errors/store-errors.ts";

/** @throws StoreError `duplicate-id` if an id exists, in an older or another new row. */
export async function addUnique<Row extends { readonly id: string }, Key>(
  table: Table<Row, Key>,
  rows: readonly Row[],
  what: string,
): Promise<void> {
  try {
    await table.bulkAdd(rows);
  } catch (error) {
    if (!(error instanceof Dexie.BulkError)) throw error;
    const [place, failure] = Object.entries(error.failuresByPos)[0] ?? [];
    if (failure?.name !== "ConstraintError") throw error;
    throw taken(what, rows[Number(place)]?.id);
  }
}

/** @throws StoreError `duplicate-id` if one of them exists. */
export async function refuseTaken<Row extends { readonly id: string }, Key>(
  table: Table<Row, Key>,
  keys: readonly Key[],
  what: string,
): Promise<void> {
  const known = (await table.bulkGet([...keys])).find((row) => row !== undefined);
  if (known !== undefined) throw taken(what, known.id);
}

/** @throws StoreError `duplicate-id` if one occurs twice. */
export function refuseTwice(what: string, ids: readonly string[]): void {
  const twice = ids.length > new Set(ids).size && ids.find((id, i) => ids.indexOf(id) < i);
  if (twice !== false) throw taken(what, twice);
}

function taken(what: string, id: string | undefined): StoreError {
  return new StoreError("duplicate-id", `Duplicate id of ${what}: ${JSON.stringify(id)}.`);
}
