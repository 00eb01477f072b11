import type { BlobStore } from "../../ports/blob-store.ts";
import { blobRows } from "./blob-row.ts";
import type { Database } from "./database.ts";
import { headOf } from "./memories/commit-memories.ts";
import { deleteNamed, type NameKey, namesIn } from "./named-rows.ts";

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
