import { type Collection, Dexie, type Table } from "dexie";

type KeyPart = string | number;

/** Rows whose index key starts with these parts, in order of the rest; or only those after a given rest. */
export function beginningWith<Row, Key>(
  table: Table<Row, Key>,
  index: string,
  parts: readonly KeyPart[],
  after?: KeyPart,
): Collection<Row, Key> {
  const end = [...parts, Dexie.maxKey];
  // A shorter key sorts before all its extensions.
  if (after === undefined) return table.where(index).between([...parts], end, true, true);
  return table.where(index).between([...parts, after], end, false, true);
}

/** Reads at most `limit` rows; all rows if the limit exceeds the database's range. */
export async function atMost<Row, Key>(rows: Collection<Row, Key>, limit = Number.POSITIVE_INFINITY): Promise<Row[]> {
  if (limit <= 0) return [];
  return limit < 2 ** 32 ? rows.limit(limit).toArray() : rows.toArray();
}
