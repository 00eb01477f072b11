import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { START_TIME } from "../../../test/postgres-server.ts";
import { type RoundTripProxy, startRoundTripProxy } from "../../../test/round-trips.ts";
import { sharedPostgres } from "../../../test/shared-postgres.ts";
import { createStoreDatabase } from "../../../test/store-database.ts";
import { createThroughline } from "../../throughline.ts";
import type { Throughline } from "../../throughline-api.ts";
import { postgresStore } from "./postgres-store.ts";

const MAX_TRIPS = 4;
const caller = { userId: "ada", projectId: "shop" };

let proxy: RoundTripProxy;

beforeAll(async () => {
  proxy = await startRoundTripProxy(await createStoreDatabase(await sharedPostgres()));
}, START_TIME);

afterAll(() => proxy.close());

/** A user of a server that has opened the database, and has answered a recall of another user of the project. */
async function open(): Promise<Throughline> {
  const store = postgresStore(proxy.url, { maxConnections: 3 });
  const shared = { ...store, close: async () => undefined };
  const other = await createThroughline({ ...caller, userId: "bob", store: shared });
  await other.memory.recall("How do we deploy?");
  await other.close();
  return createThroughline({ ...caller, store });
}

describe("round trips to PostgreSQL", () => {
  it("are at most four per recall over the memories of a user, a project and the system", async () => {
    const first = await open();
    const { memory } = first;
    await memory.remember({ text: "We deploy the shop on Fridays", scope: "project-shared" });
    await memory.remember({ text: "The deploy script of the company is deploy.sh", scope: "system" });
    const messages = Array.from({ length: 1_100 }, (_, n) => ({ role: "user", text: `Parcel ${n} is packed.` }));
    await memory.ingest({ sessionId: "s", messages });
    await memory.remember({
      kind: "episode",
      text: "The first deploy failed because of a missing key",
      artifacts: [{ type: "file", ref: "deploy.sh" }],
    });
    const hits = await memory.recall("How do we deploy?", { cut: "none" });
    expect(new Set(hits.flatMap((hit) => hit.memory?.scope ?? []))).toEqual(
      new Set(["project-shared", "system", "user-private"]),
    );
    // Writes the counts of the recall before.
    await memory.list();
    const warm = await proxy.count(() => memory.recall("How do we deploy?"));
    expect(warm).toBe(2);
    const counted = await proxy.count(async () => {
      await Promise.all(Array.from({ length: 10 }, () => memory.recall("How do we deploy?", { cut: "none" })));
      await first.close();
    });
    expect(counted).toBeLessThanOrEqual(10 * MAX_TRIPS);
    const second = await open();
    const cold = await proxy.count(async () => {
      expect(await second.memory.recall("How do we deploy?")).not.toEqual([]);
    });
    expect(cold).toBeLessThanOrEqual(MAX_TRIPS);
    await second.close();
  });
});
