import { Dexie, type IndexableType, type Table } from "dexie";
import type { BlobStore, DocumentStore } from "../../ports/store.ts";
import { frozenCopy } from "../frozen-copy.ts";
import { blobRows, headOf } from "./commit-memories.ts";
import type { Database } from "./database.ts";
import type { Tables } from "./tables.ts";

/** The key of a row that has a name in a space. */
type NameKey = [space: string, name: string];

/** Names that start with a prefix, sorted. */
async function namesIn<Row>(table: Table<Row, NameKey>, space: string, prefix: string): Promise<string[]> {
  return (await keysIn(table, space, prefix)).map(([, name]) => name);
}

/** Deletes one row, or all rows of a space whose names start with a prefix. */
async function deleteNamed<Row>(
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
    [space, afterAll(prefix)],
  ];
  return table.where("[space+name]").between(first, end, true, false).primaryKeys();
}

/** The first key after all texts that start with a prefix. */
function afterAll(prefix: string): IndexableType {
  const start = prefix.replace(/(?<!\uffff)\uffff+$/, "");
  if (start === "") return Dexie.maxKey;
  const last = start.charCodeAt(start.length - 1);
  return start.slice(0, -1) + String.fromCharCode(last + 1);
}

/** Blobs in the browser's database. Other tabs are not notified: they can compute their own. */
export function dexieBlobs(database: Database): BlobStore {
  return {
    get: (space, names) =>
      database.read(["blobs"], async ({ blobs }) => {
        const wanted = "prefix" in names ? await namesIn(blobs, space, names.prefix) : names;
        const rows = await blobs.bulkGet(wanted.map((name): NameKey => [space, name]));
        return rows.flatMap((row) => (row === undefined ? [] : [{ name: row.name, bytes: row.bytes }]));
      }),
    list: (space, prefix = "") => database.read(["blobs"], ({ blobs }) => namesIn(blobs, space, prefix)),
    put: (space, { epoch, blobs, remove = [] }) => {
      const rows = blobRows(space, blobs);
      return database.writeQuietly(["spaces", "blobs"], async (tables) => {
        if ((await headOf(tables, space)).epoch !== epoch) return false;
        await tables.blobs.bulkDelete(remove.map((name): NameKey => [space, name]));
        await tables.blobs.bulkPut(rows);
        return true;
      });
    },
    delete: (space, name) => database.writeQuietly(["blobs"], ({ blobs }) => deleteNamed(blobs, space, name)),
  };
}

/** Documents in the browser's database. */
export function dexieDocuments(database: Database): DocumentStore {
  return {
    get: (space, name) =>
      database.read(["documents"], async ({ documents }) => {
        const row = await documents.get([space, name]);
        return row && { revision: row.revision, value: row.value };
      }),
    put: (space, name, { revision, value }) => {
      // Built before the transaction starts, so that others do not wait.
      const row = frozenCopy({ space, name, revision: revision + 1, value });
      return database.write(["documents"], async (tables) => {
        if ((await revisionOf(tables, space, name)) !== revision) return false;
        await tables.documents.put(row);
        return true;
      });
    },
    list: (space, prefix = "") => database.read(["documents"], ({ documents }) => namesIn(documents, space, prefix)),
    delete: (space, name) => database.write(["documents"], ({ documents }) => deleteNamed(documents, space, name)),
  };
}

async function revisionOf({ documents }: Tables, space: string, name: string): Promise<number> {
  return (await documents.get([space, name]))?.revision ?? 0;
}
