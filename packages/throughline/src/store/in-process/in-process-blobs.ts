import type { BlobStore } from "../../ports/store.ts";
import { MemorySpace } from "./memory-space.ts";
import type { OrderedMap } from "./ordered-map.ts";

/** Blobs in the process, beside the memories of their spaces. `spaces` throws if the store is closed. */
export function inProcessBlobs(spaces: () => OrderedMap<MemorySpace>): BlobStore {
  const find = (space: string) => spaces().get(space) ?? new MemorySpace(space);
  const namesIn = (space: string, prefix: string) =>
    [...find(space).blobs.keys()].filter((name) => name.startsWith(prefix)).sort();
  return {
    async get(space, names) {
      const { blobs } = find(space);
      const wanted = "prefix" in names ? namesIn(space, names.prefix) : names;
      return wanted.flatMap((name) => {
        const bytes = blobs.get(name);
        return bytes === undefined ? [] : [{ name, bytes: new Uint8Array(bytes) }];
      });
    },
    async list(space, prefix = "") {
      return namesIn(space, prefix);
    },
    async put(name, { epoch, blobs, remove = [] }) {
      const space = find(name);
      if (space.epoch !== epoch) return false;
      for (const old of remove) space.blobs.delete(old);
      space.putBlobs(blobs);
      spaces().set(name, space);
      return true;
    },
    async delete(space, name) {
      const deleted = typeof name === "string" ? [name] : namesIn(space, name.prefix);
      for (const one of deleted) find(space).blobs.delete(one);
    },
  };
}
