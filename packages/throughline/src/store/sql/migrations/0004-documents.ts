import { createTable, DIALECTS } from "../sql-driver.ts";
import type { Migration } from "./migrations.ts";

/** Documents: data learned from use. */
export const documents: Migration = {
  number: 4,
  name: "documents",
  statements(dialect) {
    const { key, integer, bytes } = DIALECTS[dialect];
    return createTable(dialect, {
      name: "documents",
      columns: [
        `space ${key} NOT NULL`,
        `name ${key} NOT NULL`,
        `revision ${integer} NOT NULL`,
        "value TEXT",
        `value_packed ${bytes}`,
        "PRIMARY KEY (space, name)",
      ],
      partitionedBy: "space",
    });
  },
};
