import { type EncryptionKey, keyBytes } from "../sql/encryption/encryption-key.ts";
import { createSqlStore, type SqlStore } from "../sql/sql-store.ts";
import { type SqliteDriverOptions, sqliteDriver } from "./sqlite-driver.ts";

export interface SqliteStoreOptions extends Pick<SqliteDriverOptions, "synchronous" | "busyTimeout"> {
  /** Seals all content with it; a new file is encrypted then, and one that is opens with no other key. */
  readonly encryptionKey?: EncryptionKey;
}

/**
 * Keeps sessions and memories in one SQLite file, or in memory with `:memory:`. Several processes may use a file at once. It is opened
 * by the first call: what is wrong with it shows there, as a `StoreError`.
 *
 * What was acknowledged survives a process that is killed, and with `synchronous: "full"` a machine that loses power. A
 * purge leaves nothing of a session, or of a memory, in the file or in its log: for that the whole file is written anew, which takes
 * seconds for each gigabyte, and once as much room on the disk. Purges that are asked for at the same time share it.
 *
 * With an `encryptionKey`, content is sealed before it is written: docs/encryption.md says what is, and what is not.
 *
 * @example
 * const throughline = await createThroughline({ store: sqliteStore("sessions.db") });
 */
export function sqliteStore(path: string, options: SqliteStoreOptions = {}): SqlStore {
  const { encryptionKey, ...others } = options;
  return createSqlStore(sqliteDriver(path, others), {
    encryptionKey: encryptionKey === undefined ? undefined : keyBytes(encryptionKey),
  });
}
