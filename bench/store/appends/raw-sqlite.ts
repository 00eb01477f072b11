import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { sqliteStore } from "throughline/sqlite";
import { OWNER } from "./our-writers.ts";
import { makeRows, type Rows, selectText, TABLES, type TableName } from "./rows.ts";
import type { Writer } from "./writer.ts";

/** Plain prepared inserts of the rows that the store writes, into its tables. */
export async function rawSqlite(file: string, templateFile: string): Promise<Writer> {
  const database = await openTables(file);
  const template = sqliteStore(templateFile);
  const [begin, commit] = [database.prepare("BEGIN IMMEDIATE"), database.prepare("COMMIT")];
  const insertMessage = database.prepare(insertText("messages"));
  const insertPart = database.prepare(insertText("message_parts"));
  const insertSession = database.prepare(
    "INSERT INTO sessions (owner, id, created_at, updated_at, appended) VALUES (?, ?, 0, 0, ?)",
  );
  return {
    name: "raw node:sqlite inserts of the same rows",
    async ready(round) {
      const turns = await makeRows(round, template, async (sessionId) => readSqliteRows(templateFile, sessionId));
      insertSession.run(OWNER, round.sessionId, turns.length * round.turnSize);
      return async () => {
        for (const { messages, message_parts } of turns) {
          begin.run();
          for (const row of messages) insertMessage.run(...row);
          for (const row of message_parts) insertPart.run(...row);
          commit.run();
        }
      };
    },
    async close() {
      database.close();
      await template.close();
    },
  };
}

/** The store's tables, empty, with the store's settings. */
async function openTables(file: string): Promise<DatabaseSync> {
  const store = sqliteStore(file);
  await store.sessions.list(OWNER);
  await store.close();
  const database = new DatabaseSync(file);
  database.exec(`
    PRAGMA busy_timeout = 20;
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = normal;
    PRAGMA foreign_keys = ON;
    PRAGMA secure_delete = ON;
  `);
  return database;
}

function insertText(table: TableName): string {
  const columns = TABLES[table];
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
}

export function readSqliteRows(file: string, sessionId: string): Rows<SQLInputValue> {
  const database = new DatabaseSync(file, { readOnly: true });
  const read = (table: TableName) => {
    const rows = database.prepare(selectText(table, "?")).all(sessionId);
    return rows.map((row) => Object.values(row) as SQLInputValue[]);
  };
  const rows = { messages: read("messages"), message_parts: read("message_parts") };
  database.close();
  return rows;
}
