import type { Migration } from "./migration.ts";

/** What is learned from use. */
export const documents: Migration = {
  version: 5,
  stores: { documents: "[space+name]" },
};
