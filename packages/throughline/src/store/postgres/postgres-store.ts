import { prepareDatabase } from "../sql/encryption/stored-key.ts";
import type { SqlDriver, SqlTransaction } from "../sql/sql-driver.ts";
import { createSqlStore, type SqlStore } from "../sql/sql-store.ts";
import {
  checkPostgresOptions,
  Drain,
  type PostgresConnection,
  type PostgresConnections,
  type PostgresSettings,
  type PostgresStoreOptions,
} from "./connections.ts";
import { PostgresPool } from "./pool.ts";
import {
  beginText,
  createPostgresDriver,
  createWriteDedup,
  noWriteDedup,
  prepareWriteDedup,
  transact,
} from "./postgres-driver.ts";
import { PostgresNotifications } from "./session-notifications.ts";
import { retry, withStoreErrors } from "./store-problem.ts";

/**
 * Stores sessions and memories in PostgreSQL, for any number of servers. Connects on first use, and creates or migrates
 * its tables then.
 *
 * A purge deletes rows. PostgreSQL keeps deleted data until it vacuums and overwrites its log; backups and standbys
 * keep it longer.
 *
 * With an `encryptionKey`, content is encrypted before it is sent; docs/encryption.md lists the details.
 *
 * @param connectionString URL of the database.
 * @param options Schema, limits, timeouts and encryption key.
 * @throws InvalidOptionError if an option is not usable.
 *
 * @example
 * const store = postgresStore("postgres://user:password@localhost:5432/app", { schema: "assistant" });
 */
export function postgresStore(connectionString: string, options: PostgresStoreOptions = {}): SqlStore {
  const settings = checkPostgresOptions(options);
  return storeOver(new PostgresPool(connectionString, settings), settings);
}

/** Creates a store over any kind of connections. */
export function storeOver(connections: PostgresConnections, settings: PostgresSettings): SqlStore {
  const gate = new Drain();
  const notifications = new PostgresNotifications(connections, settings, gate);
  const { encryptionKey } = settings;
  return createSqlStore(openedDriver(connections, settings, { gate, notifications }), { notifications, encryptionKey });
}

/** A driver that opens the database on first use and closes everything that belongs to the store. */
function openedDriver(
  connections: PostgresConnections,
  settings: PostgresSettings,
  { gate, notifications }: { readonly gate: Drain; readonly notifications: PostgresNotifications },
): SqlDriver {
  const dedup = createWriteDedup();
  const driver = createPostgresDriver({ withConnection: connections.withConnection, settings, dedup });
  let opening: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  const opened = () => {
    // A failed attempt is retried by the next call.
    opening ??= openDatabase(connections, settings).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const enter = <T>(work: () => Promise<T>) => gate.pass(() => withStoreErrors(() => opened().then(work)));
  const close = async () => {
    await gate.close();
    await notifications.close();
    // Tried once: if the database is gone, another store removes the rows later.
    const clear = () =>
      connections.withConnection((one) => transact(one, beginText(settings, "READ COMMITTED"), dedup.clear));
    if (opening !== undefined) await Promise.allSettled([clear()]);
    await connections.close();
  };
  return {
    dialect: driver.dialect,
    now: (tx) => driver.now(tx),
    read: (work) => enter(() => driver.read(work)),
    select: (statements) => enter(() => driver.select(statements)),
    write: (work) => enter(() => driver.write(work)),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Creates the schema and the tables if they are missing. */
function openDatabase(connections: PostgresConnections, settings: PostgresSettings): Promise<void> {
  return retry(settings.retryTimeout, () =>
    connections.withLongConnection((connection) => prepare(connection, settings)),
  );
}

async function prepare(connection: PostgresConnection, settings: PostgresSettings): Promise<void> {
  const driver = createPostgresDriver({
    withConnection: (work) => work(connection),
    // Migrations may take as long as they need. A lost connection is retried outside.
    settings: { ...settings, statementTimeout: 0, retryTimeout: 0 },
    dedup: noWriteDedup,
  });
  await driver.write((tx) => createSchema(tx, settings));
  await prepareDatabase({ ...driver, close: async () => undefined }, settings.encryptionKey);
  // After the tables: these detect a schema of another program, which must stay unchanged.
  await driver.write(async (tx) => {
    await waitForOthers(tx);
    await prepareWriteDedup(tx);
  });
}

async function createSchema(tx: SqlTransaction, { schema, schemaName }: PostgresSettings): Promise<void> {
  await waitForOthers(tx);
  const found = await tx.all("SELECT 1 AS one FROM pg_namespace WHERE nspname = ?", [schema]);
  // Checked first, because a user without the permission to create schemas may not even use IF NOT EXISTS.
  if (found.length === 0) await tx.run(`CREATE SCHEMA ${schemaName}`);
}

/** Servers that start at the same time open the database one after another. */
async function waitForOthers(tx: SqlTransaction): Promise<void> {
  await tx.all("SELECT pg_advisory_xact_lock(hashtextextended('throughline', 0))");
}
