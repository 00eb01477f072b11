import type { DocumentStore, StoredDocument } from "../../../ports/store.ts";
import { openRows, sealRow } from "../encryption/sealed-rows.ts";
import { type Lookup, lookUp } from "../look-up.ts";
import { pack, unpack } from "../pack.ts";
import { isCount, numberOf, storedTextOf, toStoredText } from "../row-values.ts";
import type { SqlStatement, SqlTransaction, StoreDatabase } from "../sql-driver.ts";
import { forLists, insertRows, type Table } from "../statements.ts";

export const DOCUMENTS: Table = {
  name: "documents",
  columns: ["space", "name", "revision", "value", "value_packed"],
  sealing: { key: ["space", "name"], content: { columns: ["value", "value_packed"], into: "value_packed" } },
};

/** Documents in a database. */
export function sqlDocumentStore(database: StoreDatabase): DocumentStore {
  return {
    get: (space, name) => lookUp(database, documentAt(keyOf(space, name))),
    put: (space, name, document) => put(database, keyOf(space, name), document),
    list: (space, prefix = "") => database.read((tx) => namesIn(tx, DOCUMENTS.name, toStoredText(space), prefix)),
    delete: async (space, name) => {
      await database.erase((tx) => erase(tx, toStoredText(space), name));
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

async function put(database: StoreDatabase, key: DocumentKey, { revision, value }: StoredDocument): Promise<boolean> {
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

async function erase(tx: SqlTransaction, space: string, name: string | { readonly prefix: string }): Promise<void> {
  const names = typeof name === "string" ? [name] : await namesIn(tx, DOCUMENTS.name, space, name.prefix);
  const text = (list: string) => `DELETE FROM documents WHERE space = ? AND name IN (${list})`;
  await forLists(names.map(toStoredText), (list, some) => tx.run(text(list), [space, ...some]));
}

/** A prefix whose characters a database stores unchanged. */
const KEPT_AS_IT_IS = /^[^\0\\\ud800-\udfff]*/;

/** Names in a table with the columns `space` and `name`: those of a space that start with a prefix, sorted. */
export async function namesIn(tx: SqlTransaction, table: string, space: string, prefix: string): Promise<string[]> {
  const rows = await tx.all(...selectNamed(table, "name", space, prefix));
  return withPrefix(
    rows.map((row) => storedTextOf(row, "name")),
    prefix,
  );
}

/** Selects rows of a space whose names may start with a prefix; `withPrefix` drops the others. */
export function selectNamed(table: string, columns: string, space: string, prefix: string): SqlStatement {
  const start = KEPT_AS_IT_IS.exec(prefix)?.[0] ?? "";
  const [within, bounds] = start === "" ? ["", []] : ["AND name >= ? AND name < ?", [start, afterAll(start)]];
  return [`SELECT ${columns} FROM ${table} WHERE space = ? ${within}`, [space, ...bounds]];
}

/** Sorted here, because databases and JavaScript sort surrogate pairs differently. */
export function withPrefix(names: readonly string[], prefix: string): string[] {
  return names.filter((name) => name.startsWith(prefix)).sort();
}

/** The smallest text after all texts with this prefix. */
function afterAll(start: string): string {
  const last = start.charCodeAt(start.length - 1);
  // Single surrogates are not valid characters.
  return start.slice(0, -1) + String.fromCodePoint(last === 0xd7ff ? 0xe000 : last + 1);
}
