import { StoreError } from "../../../errors/store-errors.ts";
import { searchedById } from "../dialect.ts";
import { fromStoredText, numberOf, textOf, toStoredText } from "../row-values.ts";
import type { SqlValue } from "../sql-driver.ts";
import { insertRows, selectIn, type Table } from "../statements.ts";
import type { SessionScope } from "./session-scope.ts";

/** Positions of the ids that exist in the session. */
export async function findIds(
  session: SessionScope,
  table: Table,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const source = searchedById(table.name, session.dialect);
  const text = (list: string) =>
    `SELECT id, position FROM ${source} WHERE owner = ? AND session_id = ? AND id IN (${list})`;
  const rows = await selectIn(session.tx, text, session.names, ids.map(toStoredText));
  return new Map(rows.map((row) => [fromStoredText(textOf(row, "id")), numberOf(row, "position")]));
}

/** New rows of a session; the first one has position `at`. */
interface NewRows {
  readonly at: number;
  readonly rows: readonly (readonly SqlValue[])[];
  readonly ids: () => readonly string[];
}

/** @throws StoreError `duplicate-id` if an id exists, in an older or another new row. */
export async function insertUnique(session: SessionScope, table: Table, { at, rows, ids }: NewRows): Promise<void> {
  if ((await insertRows(session.tx, table, rows)) === rows.length) return;
  const all = ids();
  const found = await findIds(session, table, all);
  const seen = new Set<string>();
  // The size of the set shows if an id is new.
  const taken = all.find((id, i) => (found.get(id) ?? at) < at || seen.add(id).size === i);
  const place = `session ${session.key.sessionId} (${table.name})`;
  throw new StoreError("duplicate-id", `Duplicate id ${JSON.stringify(taken)} in ${place}.`);
}
