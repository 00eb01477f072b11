/**
 * A store in one SQLite file, with Node's own driver.
 *
 * @module
 * @example
 * const tl = await createThroughline({ store: sqliteStore("sessions.db") });
 */

export type { EncryptionKey } from "../sql/encryption/encryption-key.ts";
export { type KeySources, readEncryptionKey } from "../sql/encryption/encryption-key.ts";
export type { LegacyBatch, LegacyCursor, UnreadableLegacy } from "../sql/sessions/convert-legacy.ts";
export type { SqlStore } from "../sql/sql-store.ts";
export { backupSqlite } from "./backup-sqlite.ts";
export { type CheckSqliteOptions, checkSqlite, type SqliteReport } from "./check-sqlite.ts";
export { type EncryptSqliteOptions, encryptSqlite, type SqliteEncryption } from "./encrypt-sqlite.ts";
export { openForReading } from "./open-database.ts";
export { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.ts";
