import { mkdirSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { StoredJob } from "../../throughline/src/ports/server-store.ts";
import { type SqlStore, sqliteStore } from "../../throughline/src/store/sqlite/sqlite.ts";
import { memoryCommands } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const KEY = Buffer.alloc(32, 7).toString("base64");
afterEach(() => vi.unstubAllEnvs());

/** Commands on data that a server may have used before. */
function serverData(encryptionKey?: string) {
  const commands = memoryCommands(folder.fresh("data"));
  mkdirSync(commands.data);
  const open = () => {
    const options = encryptionKey === undefined ? {} : { encryptionKey: Buffer.from(encryptionKey, "base64") };
    return sqliteStore(path.join(commands.data, "throughline.db"), options);
  };
  const on = async <T>(work: (store: SqlStore) => Promise<T>): Promise<T> => {
    const store = open();
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  };
  return { ...commands, on };
}

async function die({ server: { jobs } }: SqlStore, kind: string, error: string): Promise<string> {
  const added = await jobs.add({ kind, owner: "ada", projectId: "shop", key: `${kind} ${error}` });
  await jobs.lease("a server", 1_000, [kind]);
  await jobs.finish(added?.id ?? "", "a server", { error });
  return added?.id ?? "";
}

describe("throughline doctor", () => {
  it("counts jobs by state, and active tokens", async () => {
    const { on, run, json } = serverData();
    await on(async ({ server: { jobs, tokens } }) => {
      for (const key of ["a", "b", "c"]) await jobs.add({ kind: "extract", owner: "ada", key });
      const done = await jobs.lease("a server", 60_000);
      await jobs.finish(done?.id ?? "", "a server");
      await jobs.lease("a server", 60_000);
      const about = { name: "laptop", hash: "0", userId: "ada", projects: [], scopes: ["read"], createdAt: 1 } as const;
      await tokens.add({ ...about, id: "1" });
      await tokens.add({ ...about, id: "2", expiresAt: 2 });
      await tokens.add({ ...about, id: "3", revokedAt: 2 });
    });
    const { code, stdout } = await run("doctor");
    expect(code).toBe(0);
    expect(stdout).toContain("  encrypted no\n");
    expect(stdout).toContain("  jobs      1 waiting, 1 running, 1 done, 0 failed permanently\n");
    expect(stdout).toContain("  tokens    1 active\n");
    expect(await json("doctor")).toMatchObject({
      encryption: "none",
      jobs: { waiting: 1, running: 1, done: 1, dead: 0 },
      deadJobs: [],
      tokens: 1,
    });
  });

  it("exits with 1 for a job that failed permanently, with its attempts, the error, and the retry command", async () => {
    const { on, run } = serverData();
    const id = await on((store) => die(store, "extract", "The model is\u001b[2J gone.\nTwice."));
    const { code, stdout } = await run("doctor");
    expect(code).toBe(1);
    expect(stdout).toContain(
      `1 problem:\nJob ${id} (extract) failed permanently after 1 attempt (The model is gone. Twice.). Retry it: throughline jobs retry ${id}\n`,
    );
    const { stdout: printed } = await run("doctor", "--json");
    expect(JSON.parse(printed)).toMatchObject({
      jobs: { dead: 1 },
      deadJobs: [{ id, kind: "extract", attempts: 1, lastError: "The model is\u001b[2J gone.\nTwice." }],
    });
    expect((await run("jobs", "retry", id)).code).toBe(0);
    expect((await run("doctor")).code).toBe(0);
  });

  it("lists twenty of them, and the number of the others", async () => {
    const { on, run } = serverData();
    await on(async (store) => {
      for (let i = 0; i < 23; i += 1) await die(store, "extract", `Failure ${i}`);
    });
    const { stdout } = await run("doctor");
    expect(stdout.match(/failed permanently after/g)).toHaveLength(20);
    expect(stdout).toContain("\n3 more jobs failed permanently. List them: throughline jobs --state dead\n");
  });

  it("prints errors of encrypted data only with the key", async () => {
    const { on, run } = serverData(KEY);
    await on((store) => die(store, "extract", "The word was zqvbluexuq."));
    const without = await run("doctor", "--json");
    expect(JSON.parse(without.stdout)).toMatchObject({ encryption: "not-checked", deadJobs: [{ lastError: null }] });
    vi.stubEnv("THROUGHLINE_ENCRYPTION_KEY", KEY);
    const { stdout } = await run("doctor");
    expect(stdout).toContain("(The word was zqvbluexuq.)");
  });
});

describe("throughline jobs", () => {
  it("lists waiting, running and failed jobs, or those of one state", async () => {
    const { on, run, json } = serverData();
    await on(async (store) => {
      await die(store, "reembed", "No\nvectors.");
      await store.server.jobs.add({ kind: "sweep", owner: "", key: "sweep", runAt: Date.UTC(2999, 0, 1, 12) });
      await store.server.jobs.add({ kind: "extract", owner: "ada", key: "done" });
      const job = await store.server.jobs.lease("a server", 1_000);
      await store.server.jobs.finish(job?.id ?? "", "a server");
      await store.server.jobs.add({ kind: "prune", owner: "ada", key: "prune" });
      await store.server.jobs.lease("a server", 60_000);
    });
    const { code, stdout, stderr } = await run("jobs");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(/^1 {2}reembed {2}failed permanently on \S+ \S+, after 1 of 5 attempts; for ada in shop$/),
      "   No vectors.",
      expect.stringMatching(/^2 {2}sweep {4}waiting until 2999-01-01 \S+$/),
      "4  prune    running (attempt 1 of 5); for ada",
      "",
    ]);
    const states = async (...args: string[]) => (await json("jobs", ...args)).map(({ state }: StoredJob) => state);
    expect(await states()).toEqual(["dead", "waiting", "running"]);
    for (const state of ["waiting", "running", "done", "dead"]) expect(await states("--state", state)).toEqual([state]);
    expect(await run("jobs", "--state", "lost")).toMatchObject({ code: 2, stdout: "" });
  });

  it("reports that there are none, and creates nothing", async () => {
    const { run } = memoryCommands(folder.fresh("data"));
    expect((await run("jobs")).stdout).toBe("No jobs. A running server creates them: throughline serve\n");
    expect((await run("doctor")).stdout).toContain("none yet");
  });
});

describe("throughline jobs retry", () => {
  it("queues the job again with all its attempts; with --dry-run it only reports it", async () => {
    const { on, run, json } = serverData();
    const id = await on((store) => die(store, "extract", "Gone."));
    const dry = await run("jobs", "retry", id, "--dry-run");
    expect(dry).toEqual({
      code: 0,
      stdout: `Job ${id} (extract) would be queued again; a running server will pick it up.\n`,
      stderr: "",
    });
    expect(await json("jobs", "--state", "dead")).toHaveLength(1);
    expect(await json("jobs", "retry", id)).toEqual({ id, kind: "extract", dryRun: false, retried: true });
    expect(await json("jobs")).toMatchObject([{ id, state: "waiting", attempts: 0 }]);
    const again = await run("jobs", "retry", id);
    expect(again).toMatchObject({ code: 2, stdout: "" });
    expect(again.stderr).toBe(
      `throughline: Could not retry job ${id}: no failed job has this id.\nList the failed jobs with \`throughline jobs --state dead\`.\n`,
    );
  });

  it("leaves it alone if an identical job is queued", async () => {
    const { on, run } = serverData();
    const id = await on(async (store) => {
      const dead = await die(store, "extract", "Gone.");
      await store.server.jobs.add({ kind: "extract", owner: "ada", key: "extract Gone." });
      return dead;
    });
    const { code, stderr } = await run("jobs", "retry", id);
    expect(code).toBe(2);
    expect(stderr).toContain(`Could not retry job ${id}: an identical job is already waiting or running.`);
  });
});
