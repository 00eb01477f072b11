import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "throughline";
import { postgresStore } from "throughline/postgres";
import { sqliteStore } from "throughline/sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtFile } from "../built.ts";
import { SOAK } from "../cases.ts";
import { longTest } from "../long-tests.ts";
import type { PostgresDatabases } from "../postgres-server.ts";
import { sharedPostgres } from "../shared-postgres.ts";
import { createStoreDatabase } from "../store-database.ts";
import { checkCompactions, checkMessages, checkOneAtATime } from "./check-session.ts";
import { runWorker } from "./run-worker.ts";
import type { WorkerTask, WorkerWord } from "./worker-task.ts";

/** `npm run soak` kills 200 times for each store. */
const KILLS = SOAK > 1 ? 200 : 2;
const CREATIONS = SOAK > 1 ? 60 : 2;
const WORKERS = SOAK > 1 ? 8 : 4;
/** Number of processes that run at once and are killed. Most of the time is their start. */
const VICTIMS = 4;
const TASK = { sessions: ["s"], messages: 1_000, compactEach: 3, lockTime: 100 };

let folder: string;
let server: PostgresDatabases;

beforeAll(async () => {
  builtFile("sqlite.js");
  folder = mkdtempSync(join(tmpdir(), "throughline-processes-"));
  server = await sharedPostgres();
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const stores: [string, () => Promise<string>, (where: string) => Store][] = [
  ["SQLite", async () => join(mkdtempSync(join(folder, "db-")), "t.db"), (path) => sqliteStore(path)],
  ["PostgreSQL", () => createStoreDatabase(server), (url) => postgresStore(url)],
];

describe.each(stores.slice(0, SOAK > 1 ? undefined : 1))("a session in %s", (_name, create, open) => {
  it(`survives processes that are killed at any moment, ${KILLS} times`, async () => {
    const where = await create();
    const words: WorkerWord[] = [];
    await inGroups(KILLS, async (n) => {
      const task = { ...TASK, name: `w${n}`, store: where };
      const kill = { afterWords: 1 + Math.floor(Math.random() * 13), later: Math.random() * 25 };
      words.push(...(await killed(task, kill)));
    });
    // The next process takes over the lease that the last one left behind.
    const last = await runWorker({ ...TASK, name: "last", store: where, messages: 3 });
    expect(last).toMatchObject({ errors: "", exitCode: 0 });
    expect(last.words.map(({ kind }) => kind)).toContain("compacted");
    words.push(...last.words);
    const store = open(where);
    await checkMessages(store, "s", words);
    await checkCompactions(store, "s", words);
    await store.close();
  }, 3_600_000);

  it(`is there as a whole or not at all when its creator is killed, ${CREATIONS} times`, async () => {
    await inGroups(CREATIONS, async (n) => {
      const where = await create();
      const task = { ...TASK, name: `w${n}`, store: where };
      const words = await killed(task, { afterWords: 1, later: Math.random() * 40 });
      // The first process recovers the leftovers; the next one finds them recovered.
      for (let visit = 0; visit < 2; visit += 1) {
        const store = open(where);
        await checkMessages(store, "s", words);
        await store.close();
      }
    });
  }, 3_600_000);

  longTest(
    `is one and the same for ${WORKERS} processes at once`,
    async () => {
      const where = await create();
      const runs = await Promise.all(
        Array.from({ length: WORKERS }, (_, n) =>
          runWorker({
            name: `w${n}`,
            store: where,
            sessions: ["shared", `own-${n}`],
            messages: SOAK > 1 ? 120 : 15,
            compactEach: 5,
            // No process is killed here, and a slow one must not lose its lease.
            lockTime: 20_000,
          }),
        ),
      );
      expect(runs.map(({ errors, exitCode }) => ({ errors, exitCode }))).toEqual(
        runs.map(() => ({ errors: "", exitCode: 0 })),
      );
      const words = runs.flatMap((run) => run.words);
      checkOneAtATime(words);
      const store = open(where);
      for (const session of ["shared", ...runs.map((_, n) => `own-${n}`)]) {
        await checkMessages(store, session, words);
        await checkCompactions(store, session, words);
      }
      await store.close();
    },
    3_600_000,
  );
});

/** Reports of a worker before it was killed. */
async function killed(task: WorkerTask, kill: { afterWords: number; later: number }): Promise<readonly WorkerWord[]> {
  const run = await runWorker(task, kill);
  expect({ errors: run.errors, exitCode: run.exitCode }).toEqual({ errors: "", exitCode: null });
  return run.words;
}

async function inGroups(count: number, work: (n: number) => Promise<void>): Promise<void> {
  const numbers = Array.from({ length: count }, (_, n) => n);
  for (let from = 0; from < count; from += VICTIMS) await Promise.all(numbers.slice(from, from + VICTIMS).map(work));
}
