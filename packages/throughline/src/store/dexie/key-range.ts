import { type Collection, Dexie, type Table } from "dexie";

type KeyPart = string | number;

/** All rows whose key in an index begins with these parts, in the order of the rest; or those behind such a rest. */
export function beginningWith<Row, Key>(
  table: Table<Row, Key>,
  index: string,
  parts: readonly KeyPart[],
  after?: KeyPart,
): Collection<Row, Key> {
  const end = [...parts, Dexie.maxKey];
  // A key that ends early comes before all that go on.
  if (after === undefined) return table.where(index).between([...parts], end, true, true);
  return table.where(index).between([...parts, after], end, false, true);
}

/** At most so many; all, where that is more than a database can count. */
export async function atMost<Row, Key>(rows: Collection<Row, Key>, limit = Number.POSITIVE_INFINITY): Promise<Row[]> {
  if (limit <= 0) return [];
  return limit < 2 ** 32 ? rows.limit(limit).toArray() : rows.toArray();
}
