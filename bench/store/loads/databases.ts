import { statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { postgresStore } from "throughline/postgres";
import { type SqliteStoreOptions, sqliteStore } from "throughline/sqlite";
import { type PostgresServer, query } from "../../../packages/throughline/test/postgres-server.ts";
import { type OurShelf, ourShelf } from "./our-target.ts";

export function sqliteShelf(folder: string, name: string, options: SqliteStoreOptions = {}): OurShelf {
  return ourShelf(name, async ({ length }) => {
    const file = path.join(folder, `load ${name} ${length}.db`);
    return { openStore: () => sqliteStore(file, options), size: async () => sqliteSize(file) };
  });
}

/** Bytes of the file when its log is empty. */
export function sqliteSize(file: string): number {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return statSync(file).size;
}

export function postgresShelf(server: PostgresServer): OurShelf {
  return ourShelf("PostgreSQL", async () => {
    const url = await server.createDatabase();
    return { openStore: () => postgresStore(url), size: () => postgresSize(url) };
  });
}

/** Bytes of all tables with their indexes, after the housekeeping that the server does by itself sooner or later. */
async function postgresSize(url: string): Promise<number> {
  await query(url, "VACUUM ANALYZE");
  const [row] = await query(
    url,
    `SELECT sum(pg_total_relation_size(c.oid))::float8 AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'throughline' AND c.relkind = 'r'`,
  );
  return Number(row?.bytes);
}
