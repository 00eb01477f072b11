import type { Migration } from "./migrations.ts";

/** Documents: data learned from use. */
export const documents: Migration = {
  version: 5,
  stores: { documents: "[space+name]" },
};
