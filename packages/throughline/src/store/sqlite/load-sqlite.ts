import { StoreError } from "../../errors/store-error.ts";

type Sqlite = typeof import("node:sqlite");

/**
 * Loads Node's SQLite on first use, so that importing this module works on older Node versions.
 *
 * @throws StoreError `unsupported`
 */
export function loadSqlite(): Sqlite {
  const sqlite: Sqlite | undefined = process.getBuiltinModule?.("node:sqlite");
  if (sqlite === undefined) {
    throw new StoreError("unsupported", `SQLite needs Node 22.13 or later; this is Node ${process.versions.node}.`);
  }
  return sqlite;
}
