import { prepareDatabase } from "../sql/encryption/prepare-database.ts";
import type { SqlTransaction } from "../sql/sql-driver.ts";
import type { PostgresConnection, PostgresConnections } from "./connections.ts";
import type { PostgresSettings } from "./options.ts";
import { createPostgresDriver } from "./postgres-driver.ts";
import { retry } from "./retry.ts";
import { noLedger, prepareLedger } from "./write-ledger.ts";

/** Makes what is missing: the schema, the tables and what the driver needs beside them. */
export function openDatabase(connections: PostgresConnections, settings: PostgresSettings): Promise<void> {
  return retry(settings.retryMilliseconds, () =>
    connections.lendForLong((connection) => prepare(connection, settings)),
  );
}

async function prepare(connection: PostgresConnection, settings: PostgresSettings): Promise<void> {
  const driver = createPostgresDriver({
    lend: (work) => work(connection),
    // What changes many rows takes as long as it takes. A lost connection is made anew outside.
    settings: { ...settings, statementMilliseconds: 0, retryMilliseconds: 0 },
    ledger: noLedger,
  });
  await driver.write((tx) => createSchema(tx, settings));
  await prepareDatabase({ ...driver, close: async () => undefined }, settings.encryptionKey);
  // Later than the tables: a schema of somebody else is found out by those, and left as it is.
  await driver.write(async (tx) => {
    await waitForOthers(tx);
    await prepareLedger(tx);
  });
}

async function createSchema(tx: SqlTransaction, { schema, schemaName }: PostgresSettings): Promise<void> {
  await waitForOthers(tx);
  const found = await tx.all("SELECT 1 AS one FROM pg_namespace WHERE nspname = ?", [schema]);
  // Only then, because one who may not create schemas may not even ask for one that is there.
  if (found.length === 0) await tx.run(`CREATE SCHEMA ${schemaName}`);
}

/** Servers that start at the same moment open the database one after the other. */
async function waitForOthers(tx: SqlTransaction): Promise<void> {
  await tx.all("SELECT pg_advisory_xact_lock(hashtextextended('throughline', 0))");
}
