import { DIALECTS, type DialectName } from "../sql-driver.ts";
import type { Migration } from "./migrations.ts";

/** Tables of servers: tokens, jobs, events and stored answers. */
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

/** Not partitioned: most rows are deleted after a few days. */
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
  // Never reused: the position is the job's id.
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
    // Time at which the job can be taken: start of a waiting job, or end of the lease of a running one. Null if
    // finished.
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
    // One row. An appending transaction locks it until its events are visible, so events appear in order.
    `CREATE TABLE event_counter (last ${integer} NOT NULL)`,
    "INSERT INTO event_counter (last) VALUES (0)",
  ];
}

function answerTables(dialect: DialectName): string[] {
  const { key, integer, real, bytes } = DIALECTS[dialect];
  const columns = [
    `owner ${key} NOT NULL`,
    `key ${key} NOT NULL`,
    // Time of the claim, then of the answer.
    `at ${real} NOT NULL`,
    // End and holder of the claim. Null if there is an answer.
    `claimed_until ${real}`,
    "claimed_by TEXT",
    // The answer is not stored, because data was purged meanwhile.
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
