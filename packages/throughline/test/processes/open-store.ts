import { postgresStore } from "../../src/store/postgres/postgres-store.ts";
import type { SqlStore } from "../../src/store/sql/sql-store.ts";
import { sqliteStore } from "../../src/store/sqlite/sqlite-store.ts";

/** The store at a path of a SQLite file, or at the URL of a PostgreSQL database. */
export function openStore(where: string): SqlStore {
  return where.startsWith("postgres:") ? postgresStore(where) : sqliteStore(where);
}
