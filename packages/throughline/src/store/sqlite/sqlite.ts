export type { LegacyBatch, LegacyCursor, UnreadableLegacy } from "../sql/convert-legacy.ts";
export type { SqlStore } from "../sql/sql-store.ts";
export { backupSqlite } from "./backup-sqlite.ts";
export { checkSqlite, type SqliteReport } from "./check-sqlite.ts";
export { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.ts";
