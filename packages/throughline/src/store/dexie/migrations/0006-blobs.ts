import type { Migration } from "./migration.ts";

/** Named byte arrays of a space. */
export const blobs: Migration = {
  version: 6,
  stores: { blobs: "[space+name]" },
};
