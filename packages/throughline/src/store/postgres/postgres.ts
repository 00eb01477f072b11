/**
 * A store in PostgreSQL, for many users and servers. Needs the peer dependency `pg`.
 *
 * @module
 * @example
 * const tl = await createThroughline({ store: postgresStore("postgres://localhost/throughline") });
 */

export type { EncryptionKey } from "../sql/encryption/encryption-key.ts";
export { type KeySources, readEncryptionKey } from "../sql/encryption/encryption-key.ts";
export type { LegacyBatch, LegacyCursor, UnreadableLegacy } from "../sql/sessions/convert-legacy.ts";
export type { SqlStore } from "../sql/sql-store.ts";
export type { PostgresStoreOptions } from "./connections.ts";
export { postgresStore } from "./postgres-store.ts";
