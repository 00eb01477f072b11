import type { Migration } from "./migrations.ts";

/** Named byte arrays of a space. */
export const blobs: Migration = {
  version: 6,
  stores: { blobs: "[space+name]" },
};
