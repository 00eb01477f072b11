import { beforeAll, describe, expect, it } from "vitest";
import { inProcessStore } from "../src/store/in-process.ts";
import { postgresStore } from "../src/store/postgres/postgres.ts";
import { sqliteStore } from "../src/store/sqlite/sqlite.ts";
import { liveMemories } from "./live-memories.ts";
import { type PostgresDatabases, START_TIME } from "./postgres-server.ts";
import { sharedPostgres } from "./shared-postgres.ts";

let postgres: PostgresDatabases;

beforeAll(async () => {
  postgres = await sharedPostgres();
}, START_TIME);

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
