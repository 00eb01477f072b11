import { createTable, DIALECTS, indexIds } from "../sql-driver.ts";
import type { Migration } from "./migrations.ts";

/** Compactions, receipts, marks of compacted parts, and the compaction lease. */
export const compactions: Migration = {
  number: 2,
  name: "compactions",
  statements(dialect) {
    const { key, integer, number, bytes } = DIALECTS[dialect];
    const ofSession = [
      `owner ${key} NOT NULL`,
      `session_id ${key} NOT NULL`,
      `position ${integer} NOT NULL`,
      `id ${key} NOT NULL`,
      `created_at ${number} NOT NULL`,
    ];
    const keys = [
      "PRIMARY KEY (owner, session_id, position)",
      "FOREIGN KEY (owner, session_id) REFERENCES sessions (owner, id) ON DELETE CASCADE",
    ];
    return [
      `ALTER TABLE sessions ADD COLUMN compaction_count ${integer} NOT NULL DEFAULT 0`,
      `ALTER TABLE sessions ADD COLUMN last_compaction_at ${number}`,
      `ALTER TABLE sessions ADD COLUMN receipt_count ${integer} NOT NULL DEFAULT 0`,
      // End and holder of the compaction lease.
      `ALTER TABLE sessions ADD COLUMN currently_compacting ${number}`,
      "ALTER TABLE sessions ADD COLUMN compacting_by TEXT",
      ...createTable(dialect, {
        name: "compaction_events",
        columns: [
          ...ofSession,
          `round ${integer} NOT NULL`,
          `tokens_before ${number} NOT NULL`,
          `tokens_after ${number} NOT NULL`,
          "summary_content TEXT NOT NULL",
          "compacted_message_ids TEXT NOT NULL",
          "detail TEXT",
          `detail_packed ${bytes}`,
          ...keys,
        ],
      }),
      ...createTable(dialect, {
        name: "receipts",
        columns: [...ofSession, "value TEXT", `value_packed ${bytes}`, ...keys],
      }),
      indexIds("compaction_events"),
      indexIds("receipts"),
      `CREATE INDEX message_parts_compacted ON message_parts (owner, session_id, id, compacted_at)
       WHERE compacted_at IS NOT NULL`,
    ];
  },
};
