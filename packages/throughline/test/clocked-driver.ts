import { checkPostgresOptions } from "../src/store/postgres/connections.ts";
import { PostgresPool } from "../src/store/postgres/pool.ts";
import { createPostgresDriver, noWriteDedup } from "../src/store/postgres/postgres-driver.ts";
import { postgresStore } from "../src/store/postgres/postgres-store.ts";
import type { SqlDriver } from "../src/store/sql/sql-driver.ts";
import { sqliteDriver } from "../src/store/sqlite/sqlite-store.ts";

/** A database at a path of a SQLite file, or at the URL of a PostgreSQL server, with a clock that the test sets. */
export async function clockedDriver(where: string, now: () => Promise<number>): Promise<SqlDriver> {
  const driver = where.startsWith("postgres:") ? await postgresDriver(where) : sqliteDriver(where);
  return {
    dialect: driver.dialect,
    read: (work) => driver.read(work),
    write: (work) => driver.write(work),
    now,
    close: () => driver.close(),
  };
}

async function postgresDriver(url: string): Promise<SqlDriver> {
  const store = postgresStore(url);
  await store.sessions.list("nobody");
  await store.close();
  const settings = checkPostgresOptions({});
  const pool = new PostgresPool(url, settings);
  return {
    ...createPostgresDriver({ withConnection: pool.withConnection, settings, dedup: noWriteDedup }),
    close: () => pool.close(),
  };
}
