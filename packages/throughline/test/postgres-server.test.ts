import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PostgresServer, query, START_TIME, startPostgres } from "./postgres-server.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, START_TIME);
afterAll(() => server.stop());

describe("the tests' own PostgreSQL server", () => {
  it("creates databases that sort text by language, not by bytes", async () => {
    const url = await server.createDatabase();
    const [row] = await query(url, "SELECT 'a' < 'B' AS words, version() AS version");
    expect(row).toMatchObject({ words: true, version: expect.stringContaining("PostgreSQL") });
  });

  it.each(["fast", "crash"] as const)("keeps commits over a %s restart", async (how) => {
    const url = await server.createDatabase();
    await query(url, "CREATE TABLE kept AS SELECT 1 AS value");
    await server.restart(how);
    expect(await query(url, "SELECT value FROM kept")).toEqual([{ value: 1 }]);
  });

  it("ends with the process that started it, even a killed one", async () => {
    const script = `
      const { startPostgres } = await import(${JSON.stringify(import.meta.resolve("./postgres-server.ts"))});
      const server = await startPostgres();
      const [row] = await server.run("SHOW data_directory");
      console.log(row.data_directory);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ["--experimental-strip-types", "--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [printed] = await once(child.stdout, "data");
    const folder = String(printed).trim();
    expect(existsSync(folder)).toBe(true);
    child.kill("SIGKILL");
    // Its folder goes after the server went.
    while (existsSync(folder)) await sleep(50);
  });
});
