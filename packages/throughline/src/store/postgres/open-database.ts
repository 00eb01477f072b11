import { prepareDatabase } from "../sql/encryption/prepare-database.ts";
import type { SqlTransaction } from "../sql/sql-driver.ts";
import type { PostgresConnection, PostgresConnections } from "./connections.ts";
import type { PostgresSettings } from "./options.ts";
import { createPostgresDriver } from "./postgres-driver.ts";
import { retry } from "./retry.ts";
import { noWriteDedup, prepareWriteDedup } from "./write-dedup.ts";

/** Creates the schema and the tables if they are missing. */
export function openDatabase(connections: PostgresConnections, settings: PostgresSettings): Promise<void> {
  return retry(settings.retryMilliseconds, () =>
    connections.lendForLong((connection) => prepare(connection, settings)),
  );
}

async function prepare(connection: PostgresConnection, settings: PostgresSettings): Promise<void> {
  const driver = createPostgresDriver({
    lend: (work) => work(connection),
    // Migrations may take as long as they need. A lost connection is retried outside.
    settings: { ...settings, statementMilliseconds: 0, retryMilliseconds: 0 },
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
