import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QUIET } from "../../throughline/src/ports/logger.ts";
import { postgresStore } from "../../throughline/src/store/postgres/postgres.ts";
import type { SqlStore } from "../../throughline/src/store/sql/sql-store.ts";
import { START_TIME } from "../../throughline/test/postgres-server.ts";
import { type RoundTripProxy, startRoundTripProxy } from "../../throughline/test/round-trips.ts";
import { sharedPostgres } from "../../throughline/test/shared-postgres.ts";
import { createStoreDatabase } from "../../throughline/test/store-database.ts";
import { createApp } from "../src/create-app.ts";
import { createServices, type RunningServices } from "../src/create-services.ts";
import { makeToken } from "../src/middleware/check-token.ts";

const NOW = 1_700_000_000_000;
const MAX_TRIPS = 4;

let proxy: RoundTripProxy;
let store: SqlStore;
let services: RunningServices;
let request: (project: string, path: string, body?: unknown) => Promise<unknown>;

beforeAll(async () => {
  proxy = await startRoundTripProxy(await createStoreDatabase(await sharedPostgres()));
  store = postgresStore(proxy.url);
  // Without the job runner, which reads its queue at any time, and with a clock that keeps tokens trusted.
  services = createServices({ store, clock: { now: () => NOW }, logger: QUIET });
  const onError = (error: unknown) => expect.fail(String(error));
  const options = { isTokenRequired: true, localUser: "", allowedHosts: "any" as const, onError };
  const app = createApp(services, { ...options, responseTimeout: 60_000 });
  const about = { name: "test", userId: "ada", projects: ["*"], scopes: ["read", "write"] as const, createdAt: NOW };
  const { secret, token } = makeToken(about);
  await store.server.tokens.add(token);
  request = async (project, path, body) => {
    const headers = {
      authorization: `Bearer ${secret}`,
      host: "localhost",
      "content-type": "application/json",
      "x-throughline-project": project,
    };
    const sent = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const response = await app.request(`http://localhost${path}`, sent);
    expect(response.ok).toBe(true);
    return response.json();
  };
}, START_TIME);

afterAll(async () => {
  services.endListening();
  await services.pool.close();
  await store.close();
  await proxy.close();
});

describe("a search request to a server on PostgreSQL", () => {
  /** Waits for the jobs that the first requests of a user in a project schedule in the background. */
  const scheduled = (projects: number) =>
    expect.poll(async () => (await store.server.jobs.counts()).waiting).toBe(2 * projects + 1);
  const search = () => request("shop", "/memories/search", { query: "When do we deploy?" });

  it("takes at most four round trips, also after the instance of its user was evicted", async () => {
    await request("shop", "/memories", { text: "We deploy the shop on Fridays", scope: "project-shared" });
    await search();
    const list = () => request("shop", "/memories?limit=1");
    await scheduled(1);
    // Writes the counters of earlier searches.
    await list();
    expect(await proxy.count(search)).toBeLessThanOrEqual(MAX_TRIPS);
    await list();
    for (let i = 0; i < 260; i += 1) await request(`other ${i}`, "/jobs?limit=1");
    await scheduled(261);
    expect(await proxy.count(search)).toBeLessThanOrEqual(MAX_TRIPS);
  });
});
