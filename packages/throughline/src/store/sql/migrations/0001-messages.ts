import { createTable, DIALECTS, indexIds } from "../sql-driver.ts";
import type { Migration } from "./migrations.ts";

/** Sessions, their state and their messages. */
export const messages: Migration = {
  number: 1,
  name: "messages",
  statements(dialect) {
    const { key, integer, number, bytes } = DIALECTS[dialect];
    const ofSession = [`owner ${key} NOT NULL`, `session_id ${key} NOT NULL`];
    const sessionReference = "FOREIGN KEY (owner, session_id) REFERENCES sessions (owner, id) ON DELETE CASCADE";
    const messageReference =
      "FOREIGN KEY (owner, session_id, position) REFERENCES messages (owner, session_id, position) ON DELETE CASCADE";
    return [
      ...createTable(dialect, {
        name: "sessions",
        isSmall: true,
        columns: [
          `owner ${key} NOT NULL`,
          `id ${key} NOT NULL`,
          `created_at ${number} NOT NULL`,
          `updated_at ${number} NOT NULL`,
          `appended ${integer} NOT NULL DEFAULT 0`,
          `revision ${integer} NOT NULL DEFAULT 0`,
          "PRIMARY KEY (owner, id)",
        ],
      }),
      // Separate from the session row, which every append rewrites.
      ...createTable(dialect, {
        name: "session_states",
        columns: [
          ...ofSession,
          "state TEXT",
          `state_packed ${bytes}`,
          "PRIMARY KEY (owner, session_id)",
          sessionReference,
        ],
      }),
      // `content` holds a flat message of older versions as JSON text; other messages have their parts in
      // message_parts.
      ...createTable(dialect, {
        name: "messages",
        isSmall: true,
        columns: [
          ...ofSession,
          `position ${integer} NOT NULL`,
          `id ${key} NOT NULL`,
          "role TEXT NOT NULL",
          `created_at ${number} NOT NULL`,
          `tokens ${number}`,
          "content TEXT",
          "rest TEXT",
          `rest_packed ${bytes}`,
          "PRIMARY KEY (owner, session_id, position)",
          sessionReference,
        ],
      }),
      ...createTable(dialect, {
        name: "message_parts",
        columns: [
          ...ofSession,
          `position ${integer} NOT NULL`,
          `"order" ${integer} NOT NULL`,
          `id ${key} NOT NULL`,
          "type TEXT NOT NULL",
          `tokens ${number}`,
          `compacted_at ${number}`,
          "content TEXT",
          `content_packed ${bytes}`,
          'PRIMARY KEY (owner, session_id, position, "order")',
          // PostgreSQL would look up each message with a plan made for the empty table, and scan the session.
          dialect === "sqlite" ? messageReference : sessionReference,
        ],
      }),
      indexIds("messages"),
      indexIds("message_parts"),
    ];
  },
};
