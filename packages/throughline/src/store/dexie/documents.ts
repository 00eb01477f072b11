import { Dexie, type IndexableType } from "dexie";
import type { DocumentStore } from "../../ports/document-store.ts";
import { frozenCopy } from "../in-process/frozen-copy.ts";
import type { Database } from "./database.ts";
import type { Tables } from "./tables.ts";

/** Documents in the browser's database. */
export function dexieDocuments(database: Database): DocumentStore {
  return {
    get: (space, name) =>
      database.read(["documents"], async ({ documents }) => {
        const row = await documents.get([space, name]);
        return row && { revision: row.revision, value: row.value };
      }),
    put: (space, name, { revision, value }) => {
      // Made before the transaction begins: others need not wait for it.
      const row = frozenCopy({ space, name, revision: revision + 1, value });
      return database.write(["documents"], async (tables) => {
        if ((await revisionOf(tables, space, name)) !== revision) return false;
        await tables.documents.put(row);
        return true;
      });
    },
    list: async (space, prefix = "") =>
      (await database.read(["documents"], (tables) => keysIn(tables, space, prefix))).map(([, name]) => name),
    delete: (space, name) =>
      database.write(["documents"], async (tables) => {
        const isOne = typeof name === "string";
        const keys = isOne ? [[space, name] as DocumentKey] : await keysIn(tables, space, name.prefix);
        await tables.documents.bulkDelete(keys);
      }),
  };
}

type DocumentKey = [space: string, name: string];

async function revisionOf({ documents }: Tables, space: string, name: string): Promise<number> {
  return (await documents.get([space, name]))?.revision ?? 0;
}

/** In order. */
async function keysIn({ documents }: Tables, space: string, prefix: string): Promise<DocumentKey[]> {
  const [first, end] = [
    [space, prefix],
    [space, behindAll(prefix)],
  ];
  return documents.where("[space+name]").between(first, end, true, false).primaryKeys();
}

/** What comes right behind all texts that begin so. */
function behindAll(prefix: string): IndexableType {
  const start = prefix.replace(/(?<!\uffff)\uffff+$/, "");
  if (start === "") return Dexie.maxKey;
  const last = start.charCodeAt(start.length - 1);
  return start.slice(0, -1) + String.fromCharCode(last + 1);
}
