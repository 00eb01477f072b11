import { DIALECTS, type DialectName } from "../dialect.ts";
import type { Migration } from "./migration.ts";

/** What servers keep beside sessions and memories. */
export const server: Migration = {
  number: 5,
  name: "server",
  statements: (dialect) => [
    ...tokenTables(dialect),
    ...jobTables(dialect),
    ...eventTables(dialect),
    ...answerTables(dialect),
  ],
};

/** Not partitioned: most of these rows are gone after a few days. */
function createSmallTable(dialect: DialectName, name: string, columns: readonly string[]): string {
  const body = `CREATE TABLE ${name} (\n  ${columns.join(",\n  ")}\n)`;
  return dialect === "sqlite" ? `${body} WITHOUT ROWID` : body;
}

function tokenTables(dialect: DialectName): string[] {
  const { key, real } = DIALECTS[dialect];
  const columns = [
    `id ${key} NOT NULL`,
    "name TEXT NOT NULL",
    "hash TEXT NOT NULL",
    `user_id ${key} NOT NULL`,
    "projects TEXT NOT NULL",
    "scopes TEXT NOT NULL",
    `created_at ${real} NOT NULL`,
    `expires_at ${real}`,
    `revoked_at ${real}`,
    `last_used_at ${real}`,
    "PRIMARY KEY (id)",
  ];
  return [createSmallTable(dialect, "tokens", columns)];
}

function jobTables(dialect: DialectName): string[] {
  const { key, integer, real, bytes } = DIALECTS[dialect];
  // Never given out twice: a position is a job's name.
  const counted =
    dialect === "sqlite" ? "INTEGER PRIMARY KEY AUTOINCREMENT" : "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY";
  const columns = [
    `position ${counted}`,
    "kind TEXT NOT NULL",
    `owner ${key} NOT NULL`,
    "project_id TEXT",
    `key ${key} NOT NULL`,
    "payload TEXT",
    `payload_packed ${bytes}`,
    "state TEXT NOT NULL",
    `attempts ${integer} NOT NULL`,
    `max_attempts ${integer} NOT NULL`,
    `run_at ${real} NOT NULL`,
    // When somebody may take it: who waits from then on, who is at it loses it then. Nothing where it is over.
    `due_at ${real}`,
    `created_at ${real} NOT NULL`,
    `finished_at ${real}`,
    "holder TEXT",
    "last_error TEXT",
  ];
  return [
    `CREATE TABLE jobs (\n  ${columns.join(",\n  ")}\n)`,
    "CREATE UNIQUE INDEX jobs_alive ON jobs (key) WHERE due_at IS NOT NULL",
    "CREATE INDEX jobs_due ON jobs (due_at, position) WHERE due_at IS NOT NULL",
    "CREATE INDEX jobs_by_owner ON jobs (owner, position)",
  ];
}

function eventTables(dialect: DialectName): string[] {
  const { key, integer, real, bytes } = DIALECTS[dialect];
  const columns = [
    `sequence ${integer} NOT NULL`,
    `owner ${key} NOT NULL`,
    "project_id TEXT",
    `session_id ${key}`,
    "type TEXT NOT NULL",
    `at ${real} NOT NULL`,
    "data TEXT",
    `data_packed ${bytes}`,
    "PRIMARY KEY (sequence)",
  ];
  return [
    createSmallTable(dialect, "events", columns),
    "CREATE INDEX events_by_owner ON events (owner, sequence)",
    // One row. Who appends holds it until the events can be seen, so that they are seen in the order of their numbers.
    `CREATE TABLE event_counter (last ${integer} NOT NULL)`,
    "INSERT INTO event_counter (last) VALUES (0)",
  ];
}

function answerTables(dialect: DialectName): string[] {
  const { key, integer, real, bytes } = DIALECTS[dialect];
  const columns = [
    `owner ${key} NOT NULL`,
    `key ${key} NOT NULL`,
    // When it was claimed, and then when it was answered.
    `at ${real} NOT NULL`,
    // Until when somebody is at it, and who. Nothing where there is an answer.
    `claimed_until ${real}`,
    "claimed_by TEXT",
    // What is answered is not kept: something was purged meanwhile.
    `is_discarded ${integer} NOT NULL`,
    `status ${integer}`,
    "answer TEXT",
    `answer_packed ${bytes}`,
    "PRIMARY KEY (owner, key)",
  ];
  return [
    `CREATE TABLE kept_answers (\n  ${columns.join(",\n  ")}\n)`,
    "CREATE INDEX kept_answers_by_time ON kept_answers (at)",
  ];
}
