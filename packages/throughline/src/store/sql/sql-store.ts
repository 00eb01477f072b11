import type { SessionNews, Store } from "../../ports/store.ts";
import { sqlMessageLog } from "./message-log.ts";
import { migrate } from "./migrate.ts";
import { sqlSessionLog } from "./session-log.ts";
import type { SqlDriver } from "./sql-driver.ts";

/** A store in a database, which is brought to the newest version before its first use. */
export function createSqlStore(driver: SqlDriver, options: { readonly news?: SessionNews } = {}): Store {
  const database = migrated(driver);
  return {
    messages: sqlMessageLog(database),
    sessions: sqlSessionLog(database),
    ...options,
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
