import { StoreError } from "../../errors/store-error.ts";
import type { ServerStore } from "../../ports/server-store.ts";
import type { SessionNews, Store } from "../../ports/store.ts";
import { sqlBlobStore } from "./blobs/blob-store.ts";
import { convertLegacy, type LegacyBatch, type LegacyCursor } from "./convert-legacy.ts";
import { sqlDocumentStore } from "./documents/document-store.ts";
import { type EncryptionKey, keyBytes } from "./encryption/encryption-key.ts";
import { rewrapKey } from "./encryption/kept-key.ts";
import { sqlMemoryStore } from "./memories/memory-store.ts";
import { sqlMessageLog } from "./message-log.ts";
import { sqlServerStore } from "./server/server-store.ts";
import { sqlSessionStore } from "./session-store.ts";
import type { SqlDriver } from "./sql-driver.ts";
import { type OpenedDatabase, storeDatabase } from "./store-database.ts";

/** A store in a database. */
export interface SqlStore extends Store {
  /** What servers keep beside sessions and memories. */
  readonly server: ServerStore;
  /**
   * Gives flat messages of old their parts, a batch at a time: called with what the last batch gave as `next` until
   * there is none. Until then they are converted whenever they are read.
   */
  convertLegacy(after?: LegacyCursor): Promise<LegacyBatch>;
  /**
   * Has an encrypted database open with another key from now on, and no more with the one that it was opened with. No
   * content is sealed anew: who has a copy from before, and its key, can open the copy, and what is sealed later.
   *
   * @throws StoreError `not-encrypted`
   */
  changeEncryptionKey(key: EncryptionKey): Promise<void>;
}

interface SqlStoreOptions {
  readonly news?: SessionNews;
  /** Content is sealed with it. */
  readonly encryptionKey?: Uint8Array | undefined;
}

/** A store in a database, which is brought to the newest version before its first use. */
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
  if (key === undefined)
    throw new StoreError("not-encrypted", "The database is not encrypted and has no key to change.");
  // Nothing may be left that the old key opens.
  await database.erase((tx) => rewrapKey(tx, userKey, key));
}
