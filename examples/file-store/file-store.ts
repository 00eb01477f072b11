import type { Store } from "throughline";
import type { BlobStore, DocumentStore } from "throughline/store";
import { Database, deleteNamed, namesIn, openSpace, spaceOf } from "./database.ts";
import { memoryStore } from "./memories.ts";
import { messageLog, sessionStore } from "./sessions.ts";

/** Stores everything in one file. For small data and one process. */
export function fileStore(path: string): Store {
  const database = new Database(path);
  return {
    messages: messageLog(database),
    sessions: sessionStore(database),
    memories: memoryStore(database),
    documents: documentStore(database),
    blobs: blobStore(database),
    close: () => database.close(),
  };
}

function documentStore(database: Database): DocumentStore {
  return {
    get: (space, name) => database.read((data) => spaceOf(data, space).documents.get(name)),
    put: (space, name, { revision, value }) =>
      database.write((data) => {
        const { documents } = openSpace(data, space);
        if ((documents.get(name)?.revision ?? 0) !== revision) return false;
        documents.set(name, structuredClone({ revision: revision + 1, value }));
        return true;
      }),
    list: (space, prefix = "") => database.read((data) => namesIn(spaceOf(data, space).documents, prefix)),
    delete: async (space, name) => {
      await database.write((data) => deleteNamed(openSpace(data, space).documents, name));
    },
  };
}

function blobStore(database: Database): BlobStore {
  return {
    get: (space, names) =>
      database.read((data) => {
        const { blobs } = spaceOf(data, space);
        const wanted = "prefix" in names ? namesIn(blobs, names.prefix) : names;
        return wanted.filter((name) => blobs.has(name)).map((name) => ({ name, bytes: blobs.get(name) as Uint8Array }));
      }),
    list: (space, prefix = "") => database.read((data) => namesIn(spaceOf(data, space).blobs, prefix)),
    put: (name, { epoch, blobs, remove = [] }) =>
      database.write((data) => {
        const space = openSpace(data, name);
        if (space.epoch !== epoch) return false;
        for (const old of remove) space.blobs.delete(old);
        for (const blob of blobs) space.blobs.set(blob.name, new Uint8Array(blob.bytes));
        return true;
      }),
    delete: async (space, name) => {
      await database.write((data) => deleteNamed(openSpace(data, space).blobs, name));
    },
  };
}
