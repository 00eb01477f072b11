import pg from "pg";
import { postgresStore } from "throughline/postgres";
import { OWNER } from "./our-writers.ts";
import { makeRows, type Rows, selectText, TABLES, type TableName } from "./rows.ts";
import type { Writer } from "./writer.ts";

/**
 * Plain inserts of the rows that the store writes, into its tables. One named statement per table, because each
 * statement waits for the network.
 */
export async function rawPostgres(url: string, templateUrl: string): Promise<Writer> {
  const client = await openTables(url);
  const template = postgresStore(templateUrl);
  return {
    name: "raw pg inserts of the same rows",
    async ready(round) {
      const turns = await makeRows(round, template, (sessionId) => readPostgresRows(templateUrl, sessionId));
      await client.query(
        "INSERT INTO sessions (owner, id, created_at, updated_at, appended) VALUES ($1, $2, 0, 0, $3)",
        [OWNER, round.sessionId, turns.length * round.turnSize],
      );
      return async () => {
        for (const { messages, message_parts } of turns) {
          await client.query("BEGIN");
          await insert(client, "messages", messages);
          await insert(client, "message_parts", message_parts);
          await client.query("COMMIT");
        }
      };
    },
    async close() {
      await client.end();
      await template.close();
    },
  };
}

/** The store's tables, empty. */
async function openTables(url: string): Promise<pg.Client> {
  const store = postgresStore(url);
  await store.sessions.list(OWNER);
  await store.close();
  return connect(url);
}

const insertTexts = new Map<string, string>();

async function insert(client: pg.Client, table: TableName, rows: readonly unknown[][]): Promise<void> {
  const name = `${table} ${rows.length}`;
  const text = insertTexts.get(name) ?? insertText(table, rows.length);
  insertTexts.set(name, text);
  await client.query({ name, text, values: rows.flat() });
}

function insertText(table: TableName, rows: number): string {
  const columns = TABLES[table];
  const row = (at: number) => `(${columns.map((_, i) => `$${at * columns.length + i + 1}`).join(", ")})`;
  const values = Array.from({ length: rows }, (_, at) => row(at)).join(", ");
  return `INSERT INTO ${table} (${columns.join(", ")}) VALUES ${values}`;
}

export async function readPostgresRows(url: string, sessionId: string): Promise<Rows<unknown>> {
  const client = await connect(url);
  const read = async (table: TableName) => {
    const query = { text: selectText(table, "$1"), values: [sessionId], rowMode: "array" as const };
    return (await client.query<unknown[]>(query)).rows;
  };
  const rows = { messages: await read("messages"), message_parts: await read("message_parts") };
  await client.end();
  return rows;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query("SET search_path TO throughline");
  return client;
}
