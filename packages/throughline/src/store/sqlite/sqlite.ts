export { backupSqlite } from "./backup-sqlite.ts";
export { checkSqlite, type SqliteReport } from "./check-sqlite.ts";
export { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.ts";
