import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EventLog, StoredEvent } from "../../src/ports/server-store.ts";
import { SOAK } from "../cases.ts";
import { type PostgresDatabases, START_TIME } from "../postgres-server.ts";
import { sharedPostgres } from "../shared-postgres.ts";
import { createStoreDatabase } from "../store-database.ts";
import type { JobTask, JobWord } from "./job-task.ts";
import { openStore } from "./open-store.ts";
import { type Kill, runProgram } from "./run-worker.ts";

const JOBS = SOAK > 1 ? 1_500 : 30;
const VICTIMS = SOAK > 1 ? 30 : 1;
const SURVIVORS = SOAK > 1 ? 4 : 2;
/** Maximum time of a job. On an overloaded machine it may take longer; then it runs twice, which is reported. */
const LEASE = 400;

let folder: string;
let server: PostgresDatabases;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "throughline-jobs-"));
  server = await sharedPostgres();
}, START_TIME);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const stores: [string, () => Promise<string>][] = [
  ["SQLite", async () => join(folder, "t.db")],
  ["PostgreSQL", () => createStoreDatabase(server)],
];

describe.each(stores)("jobs in %s", (_name, create) => {
  it(`are each finished once by processes of which ${VICTIMS} are killed, and followers receive all events`, async () => {
    const where = await create();
    const store = openStore(where);
    const { jobs, events } = store.server;
    const keys = Array.from({ length: JOBS }, (_, n) => `job ${n}`);
    for (const key of keys) await jobs.add({ kind: "k", owner: "ada", key, maxAttempts: 100 });
    const ending = new AbortController();
    const following = follow(events, ending.signal);
    const task = (name: string): JobTask => ({ name, store: where, lease: LEASE });
    const run = (name: string, kill?: Kill) => runProgram<JobWord>("job-worker.ts", task(name), kill);
    // Killed in the middle of a job, or right after one.
    const kill = () => ({ afterWords: 2 + Math.floor(Math.random() * 12), later: Math.random() * 3 });
    const killed = await Promise.all(Array.from({ length: VICTIMS }, (_, n) => run(`victim ${n}`, kill())));
    const lasting = await Promise.all(Array.from({ length: SURVIVORS }, (_, n) => run(`server ${n}`)));
    expect([...killed, ...lasting].map(({ errors }) => errors).join("")).toBe("");
    expect(lasting.map(({ exitCode }) => exitCode)).toEqual(lasting.map(() => 0));
    const words = [...killed, ...lasting].flatMap((one) => one.words);
    const finished = words.flatMap((word) => (word.kind === "finished" ? [word.key] : []));
    expect(new Set(finished).size).toBe(finished.length);
    const begun = words.flatMap((word) => (word.kind === "begun" ? [`${word.key} ${word.attempt}`] : []));
    expect(new Set(begun).size).toBe(begun.length);
    expect(await jobs.counts()).toEqual({ waiting: 0, running: 0, done: JOBS, dead: 0 });
    ending.abort();
    await expectAll(await following, events, keys);
    await store.close();
  }, 3_600_000);
});

/** Reads after the last seen event until the work is done and no event is left. */
async function follow(events: EventLog, ending: AbortSignal): Promise<StoredEvent[]> {
  const seen: StoredEvent[] = [];
  for (;;) {
    const wasOver = ending.aborted;
    const next = await events.read({ owner: "ada", after: seen.at(-1)?.sequence ?? 0, limit: 3 });
    seen.push(...next);
    if (wasOver && next.length === 0) return seen;
    await sleep(1);
  }
}

async function expectAll(seen: readonly StoredEvent[], events: EventLog, keys: readonly string[]): Promise<void> {
  expect(seen).toEqual(await events.read({ owner: "ada", after: 0 }));
  const told = new Set(seen.map(({ data }) => (data as { key: string }).key));
  expect(keys.filter((key) => !told.has(key))).toEqual([]);
}
