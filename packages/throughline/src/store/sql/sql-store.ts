import type { SessionNews, Store } from "../../ports/store.ts";
import { convertLegacy, type LegacyBatch, type LegacyCursor } from "./convert-legacy.ts";
import { sqlMemoryShelf } from "./memories/memory-shelf.ts";
import { sqlMessageLog } from "./message-log.ts";
import { migrate } from "./migrate.ts";
import { sqlSessionLog } from "./session-log.ts";
import type { SqlDriver } from "./sql-driver.ts";

/** A store in a database. */
export interface SqlStore extends Store {
  /**
   * Gives flat messages of old their parts, a batch at a time: called with what the last batch gave as `next` until
   * there is none. Until then they are converted whenever they are read.
   */
  convertLegacy(after?: LegacyCursor): Promise<LegacyBatch>;
}

/** A store in a database, which is brought to the newest version before its first use. */
export function createSqlStore(driver: SqlDriver, options: { readonly news?: SessionNews } = {}): SqlStore {
  const database = migrated(driver);
  return {
    messages: sqlMessageLog(database),
    sessions: sqlSessionLog(database),
    memories: sqlMemoryShelf(database),
    ...options,
    convertLegacy: (after) => convertLegacy(database, after),
    close: () => driver.close(),
  };
}

/** The same database, ready for our statements. */
function migrated(driver: SqlDriver): Required<SqlDriver> {
  let migration: Promise<void> | undefined;
  const ready = () => {
    // One that failed is tried again by the next call: the reason may be gone.
    migration ??= migrate(driver).catch((error: unknown) => {
      migration = undefined;
      throw error;
    });
    return migration;
  };
  return {
    dialect: driver.dialect,
    read: async (work) => {
      await ready();
      return driver.read(work);
    },
    write: async (work) => {
      await ready();
      return driver.write(work);
    },
    erase: async (work) => {
      await ready();
      return driver.erase ? driver.erase(work) : driver.write(work);
    },
    now: (tx) => driver.now(tx),
    close: () => driver.close(),
  };
}
