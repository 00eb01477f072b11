import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { isLong } from "../../../../test/long-tests.ts";
import { pgliteConnections } from "../../../../test/pglite.ts";
import { type PostgresDatabases, START_TIME } from "../../../../test/postgres-server.ts";
import { sharedPostgres } from "../../../../test/shared-postgres.ts";
import { createStoreDatabase } from "../../../../test/store-database.ts";
import { serverChecks } from "../../../test/store-checks.ts";
import type { PostgresConnections } from "../../postgres/connections.ts";
import { checkPostgresOptions } from "../../postgres/connections.ts";
import { postgresStore, storeOver } from "../../postgres/postgres-store.ts";
import { sqliteStore } from "../../sqlite/sqlite-store.ts";

describe("the data of servers in SQLite", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "throughline-server-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  for (const { name, run } of serverChecks(async () => sqliteStore(join(folder, "shared.db")))) it(name, run);
});

describe("the data of servers in PostgreSQL", () => {
  let server: PostgresDatabases;
  let url: string;
  beforeAll(async () => {
    server = await sharedPostgres();
    url = await createStoreDatabase(server);
  }, START_TIME);

  for (const { name, run } of serverChecks(async () => postgresStore(url))) it(name, run);
});

// `npm test` covers the real server.
describe.runIf(isLong)("what PGlite keeps for servers", () => {
  let connections: PostgresConnections;
  beforeAll(async () => {
    connections = await pgliteConnections();
  }, START_TIME);
  afterAll(() => connections.close());

  // The database outlives the stores, which are many.
  const open = async () => storeOver({ ...connections, close: async () => undefined }, checkPostgresOptions({}));
  for (const { name, run } of serverChecks(open)) it(name, run);
});
