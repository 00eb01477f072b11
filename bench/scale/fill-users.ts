import { makeToken } from "@throughline/server";
import pg from "pg";
import { createThroughline, wordEmbedder } from "throughline";
import { postgresStore } from "throughline/postgres";
import { fillMemory } from "../memory/fill-memory.ts";
import { makeMessages } from "../store/make-messages.ts";

/** Users copied by one statement. */
const STEP = 250;

export interface FilledUsers {
  /** Secrets of the users' tokens. */
  readonly secrets: readonly string[];
  /** Bytes on disk with indexes, by table, of all users together. */
  readonly bytes: ReadonlyMap<string, number>;
}

/**
 * Fills the memory of one user through the library, with a search segment, and copies its rows for the others.
 *
 * @param url Empty database.
 * @param users Number of users.
 * @param entries Memories and utterances per user.
 * @param messages Messages in the session of each user.
 */
export async function fillUsers(
  url: string,
  { users, entries, messages }: { readonly users: number; readonly entries: number; readonly messages: number },
): Promise<FilledUsers> {
  const store = postgresStore(url);
  const shared = { ...store, close: async () => undefined };
  const first = await createThroughline({ store: shared, userId: "u0" });
  await fillMemory(first.memory, entries);
  await first.memory.consolidate();
  await first.close();
  await store.messages.append({ userId: "u0", sessionId: "s" }, 0, makeMessages()("s", 0, messages));
  // Otherwise the server would schedule a job per user that looks for vectors of other embedders.
  await store.documents.put("user:u0", "embedder", { revision: 0, value: wordEmbedder().name });
  const made = Array.from({ length: users }, (_, n) =>
    makeToken({ name: "bench", userId: `u${n}`, projects: ["*"], scopes: ["read"], createdAt: Date.now() }),
  );
  for (const { token } of made) await store.server.tokens.add({ ...token, lastUsedAt: Date.now() });
  await store.close();
  const client = new pg.Client({ connectionString: url, options: "-c search_path=throughline" });
  await client.connect();
  await copyRows(client, users);
  await client.query("VACUUM ANALYZE");
  const bytes = await tableBytes(client);
  await client.end();
  return { secrets: made.map(({ secret }) => secret), bytes };
}

/** Copies all rows of the first user, table by table. */
async function copyRows(client: pg.Client, users: number): Promise<void> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `SELECT t.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
     WHERE t.relkind = 'p' AND t.relnamespace = 'throughline'::regnamespace
     GROUP BY t.relname HAVING bool_or(a.attname IN ('space', 'owner')) ORDER BY t.relname <> 'sessions'`,
  );
  for (const { name, columns } of rows) {
    const quoted = columns.map((column) => `"${column}"`);
    const values = columns.map((column) => {
      if (column === "space") return "'user:u' || n";
      return column === "user_id" || column === "owner" ? "'u' || n" : `"${column}"`;
    });
    const ofFirst = columns.includes("space") ? "space = 'user:u0'" : "owner = 'u0'";
    const copy = `INSERT INTO ${name} (${quoted}) SELECT ${values} FROM ${name}, generate_series($1::int, $2::int) AS n
      WHERE ${ofFirst}`;
    for (let from = 1; from < users; from += STEP) await client.query(copy, [from, Math.min(from + STEP, users) - 1]);
  }
}

async function tableBytes(client: pg.Client): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ name: string; bytes: number }>(
    `SELECT parent.relname AS name, sum(pg_total_relation_size(part.oid))::float8 AS bytes FROM pg_inherits
     JOIN pg_class part ON part.oid = inhrelid AND part.relkind = 'r' JOIN pg_class parent ON parent.oid = inhparent
     GROUP BY parent.relname ORDER BY bytes DESC`,
  );
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}
