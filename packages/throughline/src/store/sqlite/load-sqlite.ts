import { StoreError } from "../../errors/store-error.ts";

type Sqlite = typeof import("node:sqlite");

/**
 * Node's own SQLite, loaded when it is first needed: under a Node without it, importing us must not fail.
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
