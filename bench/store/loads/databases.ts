import { statSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { postgresStore } from "throughline/postgres";
import { type SqliteStoreOptions, sqliteStore } from "throughline/sqlite";
import { type PostgresServer, query } from "../../../packages/throughline/test/postgres-server.ts";
import { type OurTarget, ourTarget } from "./our-target.ts";

export function sqliteTarget(folder: string, name: string, options: SqliteStoreOptions = {}): OurTarget {
  return ourTarget(name, async ({ length }) => {
    const file = path.join(folder, `load ${name} ${length}.db`);
    return { openStore: () => sqliteStore(file, options), size: async () => sqliteSize(file) };
  });
}

/** Bytes of the file with an empty log. */
export function sqliteSize(file: string): number {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return statSync(file).size;
}

export function postgresTarget(server: PostgresServer): OurTarget {
  return ourTarget("PostgreSQL", async () => {
    const url = await server.createDatabase();
    return { openStore: () => postgresStore(url), size: () => postgresSize(url) };
  });
}

/** Bytes of all tables with their indexes, after a vacuum. */
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
