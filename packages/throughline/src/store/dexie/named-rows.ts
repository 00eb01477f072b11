import { Dexie, type IndexableType, type Table } from "dexie";

/** The key of a row that has a name in a space. */
export type NameKey = [space: string, name: string];

/** Names that start with a prefix, sorted. */
export async function namesIn<Row>(table: Table<Row, NameKey>, space: string, prefix: string): Promise<string[]> {
  return (await keysIn(table, space, prefix)).map(([, name]) => name);
}

/** Deletes one row, or all rows of a space whose names start with a prefix. */
export async function deleteNamed<Row>(
  table: Table<Row, NameKey>,
  space: string,
  name: string | { readonly prefix: string },
): Promise<void> {
  const isOne = typeof name === "string";
  await table.bulkDelete(isOne ? [[space, name]] : await keysIn(table, space, name.prefix));
}

function keysIn<Row>(table: Table<Row, NameKey>, space: string, prefix: string): Promise<NameKey[]> {
  const [first, end] = [
    [space, prefix],
    [space, behindAll(prefix)],
  ];
  return table.where("[space+name]").between(first, end, true, false).primaryKeys();
}

/** The first key after all texts that start with a prefix. */
function behindAll(prefix: string): IndexableType {
  const start = prefix.replace(/(?<!\uffff)\uffff+$/, "");
  if (start === "") return Dexie.maxKey;
  const last = start.charCodeAt(start.length - 1);
  return start.slice(0, -1) + String.fromCharCode(last + 1);
}
