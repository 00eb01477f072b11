import { afterAll, beforeAll, describe, it } from "vitest";
import { isLong } from "../../../test/long-tests.ts";
import { pgliteConnections } from "../../../test/pglite.ts";
import { START_TIME } from "../../../test/postgres-server.ts";
import { sharedPostgres } from "../../../test/shared-postgres.ts";
import { createStoreDatabase } from "../../../test/store-database.ts";
import { storeChecks } from "../../test/store-checks.ts";
import { checkPostgresOptions, type PostgresConnections } from "./connections.ts";
import { PostgresPool } from "./pool.ts";
import { storeOver } from "./postgres-store.ts";

/** A store on connections that outlive it. */
function openOver(connections: PostgresConnections) {
  const { withConnection, withLongConnection } = connections;
  const listen: PostgresConnections["listen"] = (...args) => connections.listen(...args);
  return storeOver(
    { withConnection, withLongConnection, listen, close: async () => undefined },
    checkPostgresOptions({}),
  );
}

describe("the PostgreSQL store on a server", () => {
  let connections: PostgresConnections;
  beforeAll(async () => {
    const server = await sharedPostgres();
    connections = new PostgresPool(await createStoreDatabase(server), checkPostgresOptions({}));
  }, START_TIME);
  afterAll(() => connections.close());

  for (const { name, run } of storeChecks(async () => openOver(connections))) it(name, run);
});

// `npm test` covers the real server.
describe.runIf(isLong)("the PostgreSQL store on PGlite", () => {
  let connections: PostgresConnections;
  beforeAll(async () => {
    connections = await pgliteConnections();
  }, START_TIME);
  afterAll(() => connections.close());

  for (const { name, run } of storeChecks(async () => openOver(connections))) it(name, run);
});
