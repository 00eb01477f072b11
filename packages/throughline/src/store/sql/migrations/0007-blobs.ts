import { createTable, DIALECTS } from "../sql-driver.ts";
import type { Migration } from "./migrations.ts";

/** Named byte arrays of a space. */
export const blobs: Migration = {
  number: 7,
  name: "blobs",
  statements(dialect) {
    const { key, bytes } = DIALECTS[dialect];
    return createTable(dialect, {
      name: "blobs",
      columns: [
        `space ${key} NOT NULL`,
        `name ${key} NOT NULL`,
        `bytes ${bytes} NOT NULL`,
        "PRIMARY KEY (space, name)",
      ],
      partitionedBy: "space",
    });
  },
};
