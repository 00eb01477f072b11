import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { postgresStore } from "../../throughline/src/store/postgres/postgres.ts";
import type { SqlStore } from "../../throughline/src/store/sql/sql-store.ts";
import { PATIENT } from "../../throughline/test/cases.ts";
import { longTest } from "../../throughline/test/long-tests.ts";
import { type PostgresDatabases, START_TIME } from "../../throughline/test/postgres-server.ts";
import { runProgram } from "../../throughline/test/processes/run-worker.ts";
import { sharedPostgres } from "../../throughline/test/shared-postgres.ts";
import { createClient, type ThroughlineClient } from "../src/client/client.ts";
import { createServer, type RunningServer } from "../src/server.ts";
import { studioFolder } from "./studio-folder.ts";

const studio = studioFolder();
const failures: unknown[] = [];
let postgres: PostgresDatabases;
let url: string;
let stores: readonly SqlStore[];
let servers: readonly RunningServer[];
let a: ThroughlineClient;
let b: ThroughlineClient;

beforeAll(async () => {
  postgres = await sharedPostgres();
  url = await postgres.createDatabase();
  stores = [postgresStore(url), postgresStore(url)];
  servers = await Promise.all(
    stores.map((store) =>
      createServer({ port: 0, studio: studio.path, store, onError: (error) => failures.push(error) }),
    ),
  );
  [a, b] = servers.map((server) => createClient({ url: server.url })) as [ThroughlineClient, ThroughlineClient];
}, START_TIME);

afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await Promise.all(stores.map((store) => store.close()));
  expect(failures).toEqual([]);
});

describe("two servers on one database", () => {
  it("share their events, in order and without a gap", async () => {
    const stop = new AbortController();
    const heard: unknown[] = [];
    const listening = (async () => {
      for await (const { type, data } of a.events({ after: "0", signal: stop.signal })) {
        if (type === "memory:remembered") heard.push((data as { id: string }).id);
      }
    })();
    const told: string[] = [];
    for (let i = 0; i < 10; i += 1) {
      const client = i % 2 === 0 ? a : b;
      told.push((await client.memories.remember({ text: `Shelf ${i} holds the ${i}th box of seeds.` })).memory.id);
    }
    await vi.waitFor(() => expect(heard).toEqual(told), PATIENT);
    stop.abort();
    await listening;
  });

  it("see each other's writes at once", async () => {
    await a.memories.remember({ text: "The password hint is under the doormat." });
    const { items } = await b.memories.search({ query: "What is under the doormat?" });
    expect(items.map(({ text }) => text).join()).toContain("doormat");
    const { id } = await a.sessions.create({ contextLimit: 8_000 });
    await b.sessions.append(id, [{ role: "user", content: "Said at the other server." }]);
    expect(JSON.stringify((await a.sessions.prepare(id)).messages)).toContain("Said at the other server.");
  });

  it("run every job once", async () => {
    const sessions = await Promise.all(
      Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? a : b).sessions.create({ remember: true })),
    );
    await Promise.all(
      sessions.map(({ id }, i) =>
        (i % 2 === 0 ? b : a).sessions.append(id, [{ role: "user", content: `My cousin Number${i} lives in Oslo.` }]),
      ),
    );
    const isExtract = ({ kind }: { kind: string }) => kind === "extract";
    await vi.waitFor(
      async () => expect((await a.jobs({ state: "done", limit: 200 })).items.filter(isExtract)).toHaveLength(12),
      PATIENT,
    );
    const { items } = await a.jobs({ limit: 200 });
    expect(items.filter(isExtract).map(({ attempts }) => attempts)).toEqual(Array.from({ length: 12 }, () => 1));
  });

  longTest("take over the jobs of a killed one", async () => {
    const { id: sessionId } = await a.sessions.create();
    await a.sessions.append(sessionId, [{ role: "user", content: "My doctor is called Lindqvist." }]);
    // A third server takes the job and dies.
    const task = { store: url, studio: studio.path, sessionId };
    const { words } = await runProgram<{ leased: string }>("server-worker.ts", task, { afterWords: 1, later: 50 });
    const leased = words[0]?.leased;
    await vi.waitFor(async () => {
      const { items } = await a.jobs({ limit: 200 });
      const job = items.find((one) => one.id === leased);
      expect(job).toMatchObject({ state: "done", attempts: 2 });
    }, PATIENT);
    const { items } = await b.memories.search({ query: "What is my doctor called?" });
    expect(items.map(({ text }) => text).join()).toContain("Lindqvist");
  });
});
