import { afterAll, beforeAll, describe, it } from "vitest";
import { pgliteConnections } from "../../../test/pglite.ts";
import { type PostgresDatabases, START_TIME } from "../../../test/postgres-server.ts";
import { sharedPostgres } from "../../../test/shared-postgres.ts";
import { storeChecks } from "../../test/store-checks.ts";
import type { PostgresConnections } from "./connections.ts";
import { checkPostgresOptions } from "./options.ts";
import { postgresStore, storeOver } from "./postgres-store.ts";

describe("the PostgreSQL store on a server", () => {
  let server: PostgresDatabases;
  let url: string;
  beforeAll(async () => {
    server = await sharedPostgres();
    url = await server.createDatabase();
  }, START_TIME);

  for (const { name, run } of storeChecks(async () => postgresStore(url))) it(name, run);
});

describe("the PostgreSQL store on PGlite", () => {
  let connections: PostgresConnections;
  beforeAll(async () => {
    connections = await pgliteConnections();
  }, START_TIME);
  afterAll(() => connections.close());

  // The database outlives the stores.
  const open = async () => storeOver({ ...connections, close: async () => undefined }, checkPostgresOptions({}));
  for (const { name, run } of storeChecks(open)) it(name, run);
});
