import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "throughline";
import { postgresStore } from "throughline/postgres";
import { sqliteStore } from "throughline/sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtFile } from "../built.ts";
import { type PostgresServer, startPostgres } from "../postgres-server.ts";
import { checkCompactions, checkMessages, checkOneAtATime } from "./check-session.ts";
import { runWorker } from "./run-worker.ts";
import type { WorkerWord } from "./worker-task.ts";

/** `npm run soak` kills ten times as often: 200 times for each store. */
const SOAK = Number(process.env.THROUGHLINE_SOAK ?? 1);
const KILLS = SOAK > 1 ? 200 : 20;
const WORKERS = 8;

let folder: string;
let server: PostgresServer;

beforeAll(async () => {
  builtFile("sqlite.js");
  folder = mkdtempSync(join(tmpdir(), "throughline-processes-"));
  server = await startPostgres();
});

afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const stores: [string, () => Promise<string>, (where: string) => Store][] = [
  ["SQLite", async () => join(mkdtempSync(join(folder, "db-")), "t.db"), (path) => sqliteStore(path)],
  ["PostgreSQL", () => server.createDatabase(), (url) => postgresStore(url)],
];

describe.each(stores)("a session in %s", (_name, create, open) => {
  it(`survives a process that is killed at any moment, ${KILLS} times`, async () => {
    const where = await create();
    const words: WorkerWord[] = [];
    for (let n = 0; n < KILLS; n += 1) {
      const task = { name: `w${n}`, store: where, sessions: ["s"], messages: 1_000, compactEach: 3 };
      const kill = { afterWords: 1 + Math.floor(Math.random() * 12), later: Math.random() * 25 };
      const run = await runWorker(task, kill);
      expect(run.errors).toBe("");
      expect(run.exitCode).toBeNull();
      words.push(...run.words);
    }
    const store = open(where);
    await checkMessages(store, "s", words);
    await checkCompactions(store, "s", words);
    await store.close();
  }, 3_600_000);

  it(`is one and the same for ${WORKERS} processes at once`, async () => {
    const where = await create();
    const runs = await Promise.all(
      Array.from({ length: WORKERS }, (_, n) =>
        runWorker({
          name: `w${n}`,
          store: where,
          sessions: ["shared", `own-${n}`],
          messages: SOAK > 1 ? 120 : 15,
          compactEach: 5,
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
  }, 3_600_000);
});
