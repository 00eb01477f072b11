import { existsSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ask } from "../../server/test/request.ts";
import { postgresStore } from "../../throughline/src/store/postgres/postgres.ts";
import { longTest } from "../../throughline/test/long-tests.ts";
import { type PostgresDatabases, query, START_TIME } from "../../throughline/test/postgres-server.ts";
import { sharedPostgres } from "../../throughline/test/shared-postgres.ts";
import { createStoreDatabase } from "../../throughline/test/store-database.ts";
import { runMain } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";
import { startServe } from "./start-serve.ts";

const folder = temporaryFolder();
const KEY = Buffer.alloc(32, 7).toString("base64");
let postgres: PostgresDatabases;
let url: string;
let data: string;

beforeAll(async () => {
  postgres = await sharedPostgres();
}, START_TIME);

beforeEach(async () => {
  use(await createStoreDatabase(postgres));
  data = folder.fresh("data");
  // In one configuration source, the database has priority over the folder.
  vi.stubEnv("THROUGHLINE_DATA", data);
});
afterEach(() => vi.unstubAllEnvs());

function use(database: string): void {
  url = database;
  vi.stubEnv("THROUGHLINE_DATABASE_URL", url);
}

function nameOf(database: string): string {
  const { host, pathname } = new URL(database);
  return `PostgreSQL at ${host}${pathname}`;
}

async function json(...args: readonly string[]) {
  const { code, stdout, stderr } = await runMain([...args, "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe("commands on a PostgreSQL database", () => {
  it("store everything there, and nothing in the folder", async () => {
    const { memory } = await json("remember", "We deploy on Fridays.");
    expect((await json("recall", "When do we deploy?")).hits[0]).toMatchObject({ id: memory.id });
    expect(await runMain(["forget", memory.id])).toMatchObject({ code: 0 });
    const chat = JSON.stringify([{ role: "user", content: "Hello" }]);
    const { stdout } = await runMain(["import", "-", "--session", "s"], { input: chat });
    expect(stdout).toContain(nameOf(url));
    expect(await json("sessions")).toMatchObject([{ sessionId: "s", appended: 1 }]);
    expect(await json("purge", "s", "--yes")).toMatchObject({ purged: true });
    expect((await runMain(["sessions"])).stdout).toContain(`No sessions in ${nameOf(url)} yet.`);
    expect(existsSync(data)).toBe(false);
  });

  it("name it without its secrets", async () => {
    const { password } = new URL(url);
    for (const args of [["config"], ["doctor"], ["sessions"], ["show", "x"], ["forget", "x"], ["backup", "x"]]) {
      const { stdout, stderr } = await runMain(args);
      expect(stdout + stderr).toContain(nameOf(url));
      expect(stdout + stderr).not.toContain(password);
    }
  });

  longTest("use the folder of --data, which overrides the database", async () => {
    const other = folder.fresh("data");
    await json("remember", "We deploy on Fridays.", "--data", other);
    expect(existsSync(path.join(other, "throughline.db"))).toBe(true);
    expect(await json("memories")).toEqual([]);
    expect((await json("config", "--data", other)).data).toBe(path.join(other, "throughline.db"));
  });

  it("share it with servers and agents", async () => {
    const { token } = await json("token", "create", "--user", "local");
    const { url: address, stop } = await startServe(["serve", "--port", "0", "--require-token"], {
      THROUGHLINE_DATABASE_URL: url,
    });
    await json("remember", "We deploy on Fridays.");
    const answer = await ask(address, "/memories", { headers: { authorization: `Bearer ${token}` } });
    expect(answer.body.toString()).toContain("Fridays");
    expect((await ask(address, "/memories")).status).toBe(401);
    expect((await stop()).code).toBe(0);
    expect((await json("jobs")).map(({ kind }: { kind: string }) => kind)).toContain("consolidate");
    expect(await runMain(["mcp"], { input: "", env: { CLAUDE_PROJECT_DIR: folder.path } })).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
    expect(existsSync(data)).toBe(false);
  });

  it.each([
    [["backup", "copy.db"], "Use `pg_dump` to copy a PostgreSQL database."],
    [["encrypt"], "To encrypt a PostgreSQL database, set a key before its first use."],
  ])("name the alternative: %j", async (args, advice) => {
    const { code, stdout, stderr } = await runMain(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(`Cannot run this command on ${nameOf(url)}: it needs a data file.\n${advice}`);
    expect(stderr).toContain("Use --data to select a folder with a file.");
  });

  it("report connection errors without secrets", async () => {
    const wrong = new URL(url);
    wrong.password = "hunter2";
    const gone = "postgres://ada:hunter2@127.0.0.1:1/app";
    for (const [set, code] of [
      [wrong.href, 1],
      [gone, 1],
      ["mysql://ada:hunter2@127.0.0.1/app", 2],
      ["hunter2", 2],
    ] as const) {
      vi.stubEnv("THROUGHLINE_DATABASE_URL", set);
      const memories = await runMain(["memories"]);
      expect(memories).toMatchObject({ code, stdout: "" });
      expect(memories.stderr.trim().split("\n")).toHaveLength(2);
      const doctor = await runMain(["doctor"]);
      expect(doctor.code).toBe(code);
      expect(JSON.stringify([memories, doctor])).not.toContain("hunter2");
    }
  });
});

describe("throughline doctor on a PostgreSQL database", () => {
  it("creates nothing in an empty database", async () => {
    use(await postgres.createDatabase());
    expect(await json("doctor")).toMatchObject({ data: nameOf(url), exists: true, version: 0, rows: {}, jobs: null });
    const schemas = await query(url, "SELECT 1 FROM pg_namespace WHERE nspname = 'throughline'");
    expect(schemas).toEqual([]);
  });

  it("prints its content, jobs, tokens and versions", async () => {
    await json("remember", "We deploy on Fridays.");
    await json("token", "create", "--user", "ada");
    const store = postgresStore(url);
    await store.server.jobs.add({ kind: "extract", owner: "ada", key: "a" });
    const job = await store.server.jobs.lease("a server", 1_000);
    await store.server.jobs.finish(job?.id ?? "", "a server", { error: "The model is gone." });
    await store.close();
    const { code, stdout } = await runMain(["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toContain(`  data      ${nameOf(url)}\n`);
    expect(stdout).toContain("  memories  1 memory, 0 turns, 0 open contradictions\n");
    expect(stdout).toContain("  encrypted no\n");
    expect(stdout).toContain("  jobs      0 waiting, 0 running, 0 done, 1 failed permanently\n");
    expect(stdout).toContain("  tokens    1 active\n");
    expect(stdout).toMatch(/ {2}Node {6}\S+, PostgreSQL \d+/);
    expect(stdout).toContain(`Retry it: throughline jobs retry ${job?.id}\n`);
    expect(await json("jobs", "retry", job?.id ?? "")).toMatchObject({ retried: true });
    expect(await json("doctor")).toMatchObject({ problems: [], bytes: expect.any(Number) });
  });

  it("decrypts with the key of the settings, and reports a missing or wrong key", async () => {
    use(await postgres.createDatabase());
    vi.stubEnv("THROUGHLINE_ENCRYPTION_KEY", KEY);
    await json("remember", "The launch code word is zqvbluexuq");
    expect(await json("doctor")).toMatchObject({ encryption: "checked", problems: [] });
    const rows = await query(url, "SELECT * FROM throughline.memories");
    expect(JSON.stringify(rows)).not.toContain("zqvbluexuq");
    vi.stubEnv("THROUGHLINE_ENCRYPTION_KEY", Buffer.alloc(32, 8).toString("base64"));
    expect((await runMain(["doctor"])).stdout).toContain("The database is encrypted with another key. Set that key.");
    expect(await runMain(["memories"])).toMatchObject({ code: 3, stdout: "" });
    vi.stubEnv("THROUGHLINE_ENCRYPTION_KEY", undefined);
    expect(await json("doctor")).toMatchObject({ encryption: "not-checked", problems: [] });
  });

  longTest("finds a newer version, and a key for unencrypted data", async () => {
    await json("remember", "We deploy on Fridays.");
    vi.stubEnv("THROUGHLINE_ENCRYPTION_KEY", KEY);
    expect((await runMain(["doctor"])).stdout).toContain(
      "An encryption key is set, but the database is not encrypted. Unset the key.",
    );
    vi.stubEnv("THROUGHLINE_ENCRYPTION_KEY", undefined);
    await query(url, "INSERT INTO throughline.throughline_migrations VALUES (999, 'later', 0)");
    const { code, stdout } = await runMain(["doctor"]);
    expect(code).toBe(1);
    expect(stdout).toContain("The data has schema version 999");
  });
});
