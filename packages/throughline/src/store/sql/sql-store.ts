import { StoreError } from "../../errors/store-errors.ts";
import type { ServerStore } from "../../ports/server-store.ts";
import type { SessionNotifications, Store } from "../../ports/store.ts";
import { type EncryptionKey, keyBytes } from "./encryption/encryption-key.ts";
import { rewrapKey } from "./encryption/stored-key.ts";
import { sqlMemoryStore } from "./memories/memory-store.ts";
import { sqlBlobStore, sqlDocumentStore } from "./named-rows.ts";
import { sqlServerStore } from "./server/server-store.ts";
import { convertLegacy, type LegacyBatch, type LegacyCursor } from "./sessions/convert-legacy.ts";
import { sqlMessageLog } from "./sessions/message-log.ts";
import { sqlSessionStore } from "./sessions/session-store.ts";
import type { SqlDriver } from "./sql-driver.ts";
import { type OpenedDatabase, storeDatabase } from "./store-database.ts";

/** A store in a SQL database. */
export interface SqlStore extends Store {
  /** Tokens, jobs, events and stored answers of servers. */
  readonly server: ServerStore;
  /**
   * Converts flat messages of older versions in batches: call it with the `next` of the last batch until there is none.
   * Until then they are converted on each read.
   *
   * @param after `next` of the last batch. Default: starts at the beginning.
   *
   * @example
   * const store = sqliteStore("memory.db");
   * for (let { next } = await store.convertLegacy(); next !== undefined; ) ({ next } = await
   * store.convertLegacy(next));
   */
  convertLegacy(after?: LegacyCursor): Promise<LegacyBatch>;
  /**
   * Changes the key of an encrypted database. The content is not re-encrypted: with an older copy and its key, that
   * copy and later content can still be decrypted.
   *
   * @param key The new key.
   * @throws StoreError `not-encrypted`
   *
   * @example
   * await sqliteStore("memory.db", { encryptionKey: oldKey }).changeEncryptionKey(newKey);
   */
  changeEncryptionKey(key: EncryptionKey): Promise<void>;
}

interface SqlStoreOptions {
  readonly notifications?: SessionNotifications;
  /** Encrypts content. */
  readonly encryptionKey?: Uint8Array | undefined;
}

/** Creates a store in a database, which is migrated on first use. */
export function createSqlStore(driver: SqlDriver, options: SqlStoreOptions = {}): SqlStore {
  const { encryptionKey, ...others } = options;
  const database = storeDatabase(driver, encryptionKey);
  return {
    messages: sqlMessageLog(database),
    sessions: sqlSessionStore(database),
    memories: sqlMemoryStore(database),
    documents: sqlDocumentStore(database),
    blobs: sqlBlobStore(database),
    server: sqlServerStore(database),
    ...others,
    convertLegacy: (after) => convertLegacy(database, after),
    changeEncryptionKey: (key) => changeKey(database, keyBytes(key)),
    close: () => driver.close(),
  };
}

async function changeKey(database: OpenedDatabase, userKey: Uint8Array): Promise<void> {
  const { key } = await database.opened();
  if (key === undefined) throw new StoreError("not-encrypted", "Cannot change the key: the database is not encrypted.");
  // No copy of the old wrapped key may remain.
  await database.erase((tx) => rewrapKey(tx, userKey, key));
}
