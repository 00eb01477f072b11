import type { DocumentStore, StoredDocument } from "../../ports/store.ts";
import { frozenCopy } from "./frozen-copy.ts";
import type { OrderedMap } from "./ordered-map.ts";

/** Documents of one space, by their names. */
export type DocumentSpace = Map<string, StoredDocument>;

/** Documents in the process. `spaces` returns the stored spaces, and throws if the store is closed. */
export function inProcessDocuments(spaces: () => OrderedMap<DocumentSpace>): DocumentStore {
  const namesOf = (space: string, prefix: string) =>
    [...(spaces().get(space)?.keys() ?? [])].filter((name) => name.startsWith(prefix)).sort();
  return {
    async get(space, name) {
      return spaces().get(space)?.get(name);
    },
    async put(space, name, { revision, value }) {
      const documents = spaces().get(space) ?? new Map<string, StoredDocument>();
      if ((documents.get(name)?.revision ?? 0) !== revision) return false;
      documents.set(name, frozenCopy({ revision: revision + 1, value }));
      spaces().set(space, documents);
      return true;
    },
    async list(space, prefix = "") {
      return namesOf(space, prefix);
    },
    async delete(space, name) {
      const erased = typeof name === "string" ? [name] : namesOf(space, name.prefix);
      for (const one of erased) spaces().get(space)?.delete(one);
    },
  };
}
