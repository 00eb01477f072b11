import type { SqlDriver } from "../sql/sql-driver.ts";
import { createSqlStore, type SqlStore } from "../sql/sql-store.ts";
import type { PostgresConnections } from "./connections.ts";
import { Gate } from "./gate.ts";
import { openDatabase } from "./open-database.ts";
import { checkPostgresOptions, type PostgresSettings, type PostgresStoreOptions } from "./options.ts";
import { PostgresPool } from "./pool.ts";
import { createPostgresDriver } from "./postgres-driver.ts";
import { PostgresNews } from "./session-news.ts";
import { withStoreErrors } from "./store-problem.ts";
import { beginText, transact } from "./transaction.ts";
import { createLedger } from "./write-ledger.ts";

/**
 * Keeps sessions and memories in PostgreSQL, for any number of servers. It connects at the first call, and makes its tables or brings
 * them up to date then.
 *
 * A purge deletes: PostgreSQL itself keeps what was deleted until it vacuums the tables and has written over its log, and
 * in backups and on standbys for as long as those are kept.
 *
 * With an `encryptionKey`, content is sealed before it is sent: docs/encryption.md says what is, and what is not.
 *
 * @example
 * const store = postgresStore("postgres://user:password@localhost:5432/app", { schema: "assistant" });
 */
export function postgresStore(connectionString: string, options: PostgresStoreOptions = {}): SqlStore {
  const settings = checkPostgresOptions(options);
  return storeOver(new PostgresPool(connectionString, settings), settings);
}

/** The store over connections of any kind. */
export function storeOver(connections: PostgresConnections, settings: PostgresSettings): SqlStore {
  const gate = new Gate();
  const news = new PostgresNews(connections, settings, gate);
  const { encryptionKey } = settings;
  return createSqlStore(openedDriver(connections, settings, { gate, news }), { news, encryptionKey });
}

/** A driver whose database is opened by the first call, and which closes all that belongs to the store. */
function openedDriver(
  connections: PostgresConnections,
  settings: PostgresSettings,
  { gate, news }: { readonly gate: Gate; readonly news: PostgresNews },
): SqlDriver {
  const ledger = createLedger();
  const driver = createPostgresDriver({ lend: connections.lend, settings, ledger });
  let opening: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  const opened = () => {
    // One that failed is tried again by the next call: the reason may be gone.
    opening ??= openDatabase(connections, settings).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const enter = <T>(work: () => Promise<T>) => gate.pass(() => withStoreErrors(() => opened().then(work)));
  const close = async () => {
    await gate.close();
    await news.close();
    // Tried once: where the database is gone, another store removes what this one leaves.
    const clear = () => connections.lend((one) => transact(one, beginText(settings, "READ COMMITTED"), ledger.clear));
    if (opening !== undefined) await Promise.allSettled([clear()]);
    await connections.close();
  };
  return {
    dialect: driver.dialect,
    now: (tx) => driver.now(tx),
    read: (work) => enter(() => driver.read(work)),
    write: (work) => enter(() => driver.write(work)),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
