/**
 * Parts of the SQL stores, and the tables of the server.
 *
 * Not part of the public API: semantic versioning does not cover it, and any release may change or remove its names. It
 * is for `@throughline/server`, `@throughline/cli` and the Studio of the same version.
 *
 * @module
 */

export type {
  AnswerClaim,
  AnswerStore,
  EventLog,
  InterruptedRequest,
  JobFilter,
  JobQueue,
  JobState,
  NewEvent,
  NewJob,
  ServerStore,
  StoredAnswer,
  StoredEvent,
  StoredJob,
  StoredToken,
  TokenScope,
  TokenStore,
} from "../../ports/server-store.ts";
export type { DocumentStore } from "../../ports/store.ts";
export { checkPostgresOptions } from "../../store/postgres/connections.ts";
export { PostgresPool } from "../../store/postgres/pool.ts";
export { createPostgresDriver, noWriteDedup } from "../../store/postgres/postgres-driver.ts";
export { withStoreErrors } from "../../store/postgres/store-problem.ts";
export { createContentCipher, unwrapKey } from "../../store/sql/encryption/content-cipher.ts";
export { checkSealed } from "../../store/sql/encryption/seal-database.ts";
export { readKeptKey } from "../../store/sql/encryption/stored-key.ts";
export { versionOf } from "../../store/sql/migrate.ts";
export { LATEST_VERSION } from "../../store/sql/migrations/migrations.ts";
export { sqlDocumentStore } from "../../store/sql/named-rows.ts";
export { numberOf } from "../../store/sql/row-values.ts";
export { sqlServerStore } from "../../store/sql/server/server-store.ts";
export type { SqlTransaction, StoreTransaction } from "../../store/sql/sql-driver.ts";
export { DIALECTS, type DialectName } from "../../store/sql/sql-driver.ts";
export { withCipher } from "../../store/sql/store-database.ts";
export { BACKUP_DAYS, findMigrationBackups, type MigrationBackup } from "../../store/sqlite/backup-sqlite.ts";
export { APPLICATION_ID } from "../../store/sqlite/database-file.ts";
export { toStoreError } from "../../store/sqlite/sqlite-error.ts";
