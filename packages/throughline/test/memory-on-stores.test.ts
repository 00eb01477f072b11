import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { inProcessStore } from "../src/store/in-process.ts";
import { postgresStore } from "../src/store/postgres/postgres.ts";
import { sqliteStore } from "../src/store/sqlite/sqlite.ts";
import { liveMemories } from "./live-memories.ts";
import { type PostgresServer, START_TIME, startPostgres } from "./postgres-server.ts";

let postgres: PostgresServer;

beforeAll(async () => {
  postgres = await startPostgres();
}, START_TIME);

afterAll(() => postgres.stop());

describe("memories live the same", () => {
  it("in the process, in a SQLite database and in PostgreSQL", async () => {
    const inProcess = await liveMemories(inProcessStore({ now: () => Date.now() }));
    expect(inProcess.slice(0, 3)).toEqual(["added", "replaced", "merged"]);
    const [, , , database, kubernetes, review, jazz] = inProcess;
    expect(JSON.stringify(database)).toMatch(/PostgreSQL/);
    expect(JSON.stringify(kubernetes)).toMatch(/Kubernetes/);
    expect(jazz).toEqual([]);
    expect(JSON.stringify(review)).toMatch(/Thursday/);
    expect(JSON.stringify(review)).not.toMatch(/Tuesday/);
    expect(await liveMemories(sqliteStore(":memory:"))).toEqual(inProcess);
    expect(await liveMemories(postgresStore(await postgres.createDatabase()))).toEqual(inProcess);
  });
});
