import { AT_LEAST_ZERO, CHECKED_LATER, checkOptions, type OptionRules, oneOf } from "../../errors/check-options.ts";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { type EncryptionKey, keyBytes } from "../sql/encryption/encryption-key.ts";
import { createSqlStore, type SqlStore } from "../sql/sql-store.ts";
import { type SqliteDriverOptions, sqliteDriver } from "./sqlite-driver.ts";

export interface SqliteStoreOptions extends Pick<SqliteDriverOptions, "synchronous" | "busyTimeout"> {
  /** Encrypts all content. A new file is encrypted; an existing encrypted one needs the same key. */
  readonly encryptionKey?: EncryptionKey;
}

const RULES: OptionRules<SqliteStoreOptions> = {
  synchronous: oneOf("normal", "full"),
  busyTimeout: AT_LEAST_ZERO,
  encryptionKey: CHECKED_LATER,
};

/**
 * Stores sessions and memories in one SQLite file, or in memory with `:memory:`. Several processes may use a file at
 * once. The file is opened on first use; errors are thrown there as `StoreError`.
 *
 * A file of an earlier release is migrated; its copy stays beside it for 30 days, as `sessions.db.v7.backup`.
 *
 * Acknowledged writes survive a killed process, and with `synchronous: "full"` a power loss. A purge leaves no data of
 * a session or memory in the file, its log or such a copy: the whole file is rewritten, which takes seconds per
 * gigabyte and the same disk space again. Concurrent purges share one rewrite.
 *
 * With an `encryptionKey`, content is encrypted before it is written; docs/encryption.md lists the details.
 *
 * @param path Database file, or `:memory:`.
 * @param options Durability, lock timeout and encryption key.
 *
 * @example
 * const tl = await createThroughline({ store: sqliteStore("sessions.db") });
 */
export function sqliteStore(path: string, options: SqliteStoreOptions = {}): SqlStore {
  if (typeof path !== "string" || path === "")
    throw new InvalidOptionError("path", JSON.stringify(path), "the path of a file, or :memory:");
  checkOptions("sqliteStore", options, RULES);
  const { encryptionKey, ...others } = options;
  return createSqlStore(sqliteDriver(path, others), {
    encryptionKey: encryptionKey === undefined ? undefined : keyBytes(encryptionKey),
  });
}
