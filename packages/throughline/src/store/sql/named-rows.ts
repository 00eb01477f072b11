import type { BlobStore, BlobWrite, DocumentStore, StoredBlob, StoredDocument } from "../../ports/store.ts";
import { openRows, sealRow } from "./encryption/sealed-rows.ts";
import { bytesOf, isCount, numberOf, pack, storedTextOf, toStoredText, unpack } from "./row-values.ts";
import type { SqlStatement, SqlTransaction, SqlValue, StoreDatabase } from "./sql-driver.ts";
import { forLists, insertRows, type Lookup, lookUp, selectsIn, type Table } from "./statements.ts";

export const DOCUMENTS: Table = {
  name: "documents",
  columns: ["space", "name", "revision", "value", "value_packed"],
  sealing: { key: ["space", "name"], content: { columns: ["value", "value_packed"], into: "value_packed" } },
};

/** Documents in a database. */
export function sqlDocumentStore(database: StoreDatabase): DocumentStore {
  return {
    get: (space, name) => lookUp(database, documentAt(keyOf(space, name))),
    put: (space, name, document) => putDocument(database, keyOf(space, name), document),
    list: (space, prefix = "") => database.read((tx) => namesIn(tx, DOCUMENTS.name, toStoredText(space), prefix)),
    delete: async (space, name) => {
      await database.erase((tx) => deleteDocuments(tx, toStoredText(space), name));
    },
  };
}

interface DocumentKey {
  readonly [column: string]: string;
  readonly space: string;
  readonly name: string;
}

function keyOf(space: string, name: string): DocumentKey {
  return { space: toStoredText(space), name: toStoredText(name) };
}

function documentAt(key: DocumentKey): Lookup<StoredDocument | undefined> {
  const text = "SELECT revision, value, value_packed FROM documents WHERE space = ? AND name = ?";
  return {
    statements: [[text, [key.space, key.name]]],
    read(rows, opened) {
      const [row] = openRows(opened, DOCUMENTS, rows.flat(), key);
      return row && { revision: numberOf(row, "revision"), value: unpack(row, "value") };
    },
  };
}

async function putDocument(
  database: StoreDatabase,
  key: DocumentKey,
  { revision, value }: StoredDocument,
): Promise<boolean> {
  if (!isCount(revision)) return false;
  const { space, name } = key;
  // Built before the transaction starts, so that others do not wait.
  const [plain, packed] = pack(value);
  return database.write(async (tx) => {
    if (revision === 0) return (await insertRows(tx, DOCUMENTS, [[space, name, 1, plain, packed]])) > 0;
    const sealed = sealRow(tx, DOCUMENTS, { ...key, value: plain, value_packed: packed });
    const text = `UPDATE documents SET revision = revision + 1, value = ?, value_packed = ?
      WHERE space = ? AND name = ? AND revision = ?`;
    return (await tx.run(text, [sealed.value ?? null, sealed.value_packed ?? null, space, name, revision])) > 0;
  });
}

async function deleteDocuments(
  tx: SqlTransaction,
  space: string,
  name: string | { readonly prefix: string },
): Promise<void> {
  const names = typeof name === "string" ? [name] : await namesIn(tx, DOCUMENTS.name, space, name.prefix);
  const text = (list: string) => `DELETE FROM documents WHERE space = ? AND name IN (${list})`;
  await forLists(names.map(toStoredText), (list, some) => tx.run(text(list), [space, ...some]));
}

/** A prefix whose characters a database stores unchanged. */
const KEPT_AS_IT_IS = /^[^\0\\\ud800-\udfff]*/;

/** Names in a table with the columns `space` and `name`: those of a space that start with a prefix, sorted. */
async function namesIn(tx: SqlTransaction, table: string, space: string, prefix: string): Promise<string[]> {
  const rows = await tx.all(...selectNamed(table, "name", space, prefix));
  return withPrefix(
    rows.map((row) => storedTextOf(row, "name")),
    prefix,
  );
}

/** Selects rows of a space whose names may start with a prefix; `withPrefix` drops the others. */
function selectNamed(table: string, columns: string, space: string, prefix: string): SqlStatement {
  const start = KEPT_AS_IT_IS.exec(prefix)?.[0] ?? "";
  const [within, bounds] = start === "" ? ["", []] : ["AND name >= ? AND name < ?", [start, afterAll(start)]];
  return [`SELECT ${columns} FROM ${table} WHERE space = ? ${within}`, [space, ...bounds]];
}

/** Sorted here, because databases and JavaScript sort surrogate pairs differently. */
function withPrefix(names: readonly string[], prefix: string): string[] {
  return names.filter((name) => name.startsWith(prefix)).sort();
}

/** The smallest text after all texts with this prefix. */
function afterAll(start: string): string {
  const last = start.charCodeAt(start.length - 1);
  // Single surrogates are not valid characters.
  return start.slice(0, -1) + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
}

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
    put: (space, write) => putBlobs(database, toStoredText(space), write),
    delete: async (space, name) => {
      await database.erase((tx) => deleteBlobs(tx, toStoredText(space), name));
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

function putBlobs(
  database: StoreDatabase,
  space: string,
  { epoch, blobs, remove: old = [] }: BlobWrite,
): Promise<boolean> {
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

async function deleteBlobs(
  tx: SqlTransaction,
  space: string,
  name: string | { readonly prefix: string },
): Promise<void> {
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
