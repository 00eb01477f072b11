import pg from "pg";
import { postgresStore } from "../src/store/postgres/postgres-store.ts";
import type { PostgresDatabases } from "./postgres-server.ts";

const TEMPLATE = "store_template";
/** Templates that were found or created, by server. */
const known = new Map<string, Promise<void>>();

/**
 * The URL of a new database that already has the tables of a store, as its first opening left them. Copying them takes
 * a fraction of the time of their creation.
 */
export async function createStoreDatabase(server: PostgresDatabases): Promise<string> {
  const address = server.url();
  const template = known.get(address) ?? createTemplate(server);
  known.set(address, template);
  await template;
  return server.createDatabase(TEMPLATE);
}

/** Creates the template unless another test file has: all of them may ask at the same time. */
async function createTemplate(server: PostgresDatabases): Promise<void> {
  const client = new pg.Client(server.url());
  await client.connect();
  try {
    // Until the connection ends.
    await client.query("SELECT pg_advisory_lock(1)");
    const { rows } = await client.query("SELECT FROM pg_database WHERE datname = $1", [TEMPLATE]);
    if (rows.length > 0) return;
    const url = await server.createDatabase();
    const store = postgresStore(url);
    await store.sessions.head({ userId: "nobody", sessionId: "none" });
    await store.close();
    await client.query(`ALTER DATABASE ${new URL(url).pathname.slice(1)} RENAME TO ${TEMPLATE}`);
  } finally {
    await client.end();
  }
}
