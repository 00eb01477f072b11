import type { DocumentStore } from "../../ports/document-store.ts";
import { frozenCopy } from "../in-process/frozen-copy.ts";
import type { Database } from "./database.ts";
import { deleteNamed, namesIn } from "./named-rows.ts";
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
