import { createTable, DIALECTS, type DialectName } from "../sql-driver.ts";
import type { Migration } from "./migrations.ts";

/** Numbers events per owner, and partitions events and stored answers by owner. */
export const eventsByOwner: Migration = {
  number: 8,
  name: "events by owner",
  statements: (dialect) => [
    ...eventTables(dialect),
    ...countersOfOwners(dialect),
    "DROP TABLE event_counter",
    "DROP TABLE events_before",
    // SQLite has no partitions.
    ...(dialect === "postgres" ? answerTables() : []),
  ],
};

const EVENT_COLUMNS = "sequence, owner, project_id, session_id, type, at, data, data_packed";

function eventTables(dialect: DialectName): string[] {
  const { key, integer, real, bytes } = DIALECTS[dialect];
  return [
    `CREATE TABLE events_before AS SELECT ${EVENT_COLUMNS} FROM events`,
    "DROP TABLE events",
    ...createTable(dialect, {
      name: "events",
      isSmall: true,
      columns: [
        `owner ${key} NOT NULL`,
        `sequence ${integer} NOT NULL`,
        "project_id TEXT",
        `session_id ${key}`,
        "type TEXT NOT NULL",
        `at ${real} NOT NULL`,
        "data TEXT",
        `data_packed ${bytes}`,
        "PRIMARY KEY (owner, sequence)",
      ],
    }),
    `INSERT INTO events (${EVENT_COLUMNS}) SELECT ${EVENT_COLUMNS} FROM events_before`,
  ];
}

/** Known users continue after the last event of all users, so that clients resume at their position. */
function countersOfOwners(dialect: DialectName): string[] {
  const { key, integer } = DIALECTS[dialect];
  return [
    // An appending transaction locks the row of its owner until its events are visible, so events appear in order.
    ...createTable(dialect, {
      name: "event_counters",
      isSmall: true,
      columns: [`owner ${key} NOT NULL`, `last ${integer} NOT NULL`, "PRIMARY KEY (owner)"],
    }),
    `INSERT INTO event_counters (owner, last) SELECT owner, (SELECT last FROM event_counter) FROM
       (SELECT owner FROM sessions UNION SELECT user_id FROM tokens UNION SELECT owner FROM events_before) AS known`,
  ];
}

function answerTables(): string[] {
  const { key, integer, real, bytes } = DIALECTS.postgres;
  const columns = "owner, key, at, claimed_until, claimed_by, is_discarded, status, answer, answer_packed";
  return [
    `CREATE TABLE kept_answers_before AS SELECT ${columns} FROM kept_answers`,
    "DROP TABLE kept_answers",
    ...createTable("postgres", {
      name: "kept_answers",
      columns: [
        `owner ${key} NOT NULL`,
        `key ${key} NOT NULL`,
        `at ${real} NOT NULL`,
        `claimed_until ${real}`,
        "claimed_by TEXT",
        `is_discarded ${integer} NOT NULL`,
        `status ${integer}`,
        "answer TEXT",
        `answer_packed ${bytes}`,
        "PRIMARY KEY (owner, key)",
      ],
    }),
    "CREATE INDEX kept_answers_by_time ON kept_answers (at)",
    `INSERT INTO kept_answers (${columns}) SELECT ${columns} FROM kept_answers_before`,
    "DROP TABLE kept_answers_before",
  ];
}
