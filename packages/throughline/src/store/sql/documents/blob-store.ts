import type { BlobStore, BlobWrite, StoredBlob } from "../../../ports/store.ts";
import { openRows } from "../encryption/sealed-rows.ts";
import { type Lookup, lookUp } from "../look-up.ts";
import { bytesOf, numberOf, storedTextOf, toStoredText } from "../row-values.ts";
import type { SqlTransaction, SqlValue, StoreDatabase } from "../sql-driver.ts";
import { forLists, insertRows, selectsIn, type Table } from "../statements.ts";
import { namesIn, selectNamed, withPrefix } from "./document-store.ts";

export const BLOBS: Table = {
  name: "blobs",
  columns: ["space", "name", "bytes"],
  replacedBy: ["space", "name"],
  sealing: { key: ["space", "name"], content: { columns: ["bytes"], into: "bytes" } },
};

/** Blobs in a database. */
export function sqlBlobStore(database: StoreDatabase): BlobStore {
  return {
    get: (space, names) => lookUp(database, blobsNamed(toStoredText(space), names)),
    list: (space, prefix = "") => database.read((tx) => namesIn(tx, BLOBS.name, toStoredText(space), prefix)),
    put: (space, write) => put(database, toStoredText(space), write),
    delete: async (space, name) => {
      await database.erase((tx) => remove(tx, toStoredText(space), name));
    },
  };
}

function blobsNamed(space: string, names: Parameters<BlobStore["get"]>[1]): Lookup<StoredBlob[]> {
  const text = (list: string) => `SELECT name, bytes FROM blobs WHERE space = ? AND name IN (${list})`;
  const isPrefix = "prefix" in names;
  return {
    statements: isPrefix
      ? [selectNamed(BLOBS.name, "name, bytes", space, names.prefix)]
      : selectsIn(text, [space], [...new Set(names)].map(toStoredText)),
    read(rows, opened) {
      const found = new Map(
        openRows(opened, BLOBS, rows.flat(), { space }).map((row) => [
          storedTextOf(row, "name"),
          bytesOf(row, "bytes"),
        ]),
      );
      const wanted = isPrefix ? withPrefix([...found.keys()], names.prefix) : names;
      return wanted.flatMap((name) => {
        const bytes = found.get(name);
        return bytes === undefined ? [] : [{ name, bytes }];
      });
    },
  };
}

function put(database: StoreDatabase, space: string, { epoch, blobs, remove: old = [] }: BlobWrite): Promise<boolean> {
  // An erasure of memories waits until this is committed, or this one waits for the erasure and sees another epoch.
  const lock = database.dialect === "postgres" ? "FOR SHARE" : "";
  const rows = blobRows(space, blobs);
  return database.write(async (tx) => {
    const [row] = await tx.all(`SELECT epoch FROM memory_spaces WHERE space = ? ${lock}`, [space]);
    if ((row === undefined ? 0 : numberOf(row, "epoch")) !== epoch) return false;
    await deleteNames(tx, space, old);
    await insertRows(tx, BLOBS, rows);
    return true;
  });
}

async function remove(tx: SqlTransaction, space: string, name: string | { readonly prefix: string }): Promise<void> {
  await deleteNames(tx, space, typeof name === "string" ? [name] : await namesIn(tx, BLOBS.name, space, name.prefix));
}

async function deleteNames(tx: SqlTransaction, space: string, names: readonly string[]): Promise<void> {
  const text = (list: string) => `DELETE FROM blobs WHERE space = ? AND name IN (${list})`;
  const stored: SqlValue[] = names.map(toStoredText);
  await forLists(stored, (list, some) => tx.run(text(list), [space, ...some]));
}

/** Of two blobs with one name the last one counts. */
export function blobRows(space: string, blobs: readonly StoredBlob[]): SqlValue[][] {
  const last = new Map(blobs.map(({ name, bytes }) => [toStoredText(name), bytes]));
  return [...last].map(([name, bytes]) => [space, name, bytes]);
}
