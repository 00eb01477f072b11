import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdir, readdir, readFile, stat, truncate, utimes, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { runMain } from "./cli-in-process.ts";
import { runCli, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const CHAT = JSON.stringify([{ role: "user", content: "Hello" }]);

async function kept() {
  const data = folder.fresh("data");
  const { code } = await runMain(["import", "-", "--session", "s", "--data", data], { input: CHAT });
  expect(code).toBe(0);
  return { data, file: path.join(data, "throughline.db") };
}

async function bytesOf(file: string): Promise<string> {
  return (await readFile(file)).toString("base64");
}

describe("the data", () => {
  it("is in the folder of --data, before or after the command, or else of THROUGHLINE_DATA", async () => {
    const { data } = await kept();
    for (const args of [
      ["--data", data, "sessions"],
      ["sessions", "--data", data],
    ]) {
      const { stdout } = await runMain([...args, "--json"], { env: { THROUGHLINE_DATA: folder.fresh() } });
      expect(JSON.parse(stdout)).toMatchObject([{ sessionId: "s" }]);
    }
    const { stdout } = await runMain(["sessions"], { env: { THROUGHLINE_DATA: data } });
    expect(stdout).toMatch(/^session +messages.*\ns +1 /);
  });

  it.runIf(process.platform === "linux")("is in the platform's data folder by default", async () => {
    const home = folder.fresh("home");
    const env = { HOME: home, XDG_DATA_HOME: undefined, THROUGHLINE_DATA: undefined };
    await runMain(["import", "-", "--session", "s"], { env, input: CHAT });
    expect(existsSync(path.join(home, ".local/share/throughline/throughline.db"))).toBe(true);
  });

  it.skipIf(process.platform === "win32")("is readable only by the user", async () => {
    const { data, file } = await kept();
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const copy = folder.fresh("backup");
    await runMain(["backup", copy, "--data", data]);
    expect((await stat(copy)).mode & 0o777).toBe(0o600);
  });

  it.each([["sessions"], ["doctor"], ["sessions", "--json"], ["doctor", "--json"]])(
    "is not created by a command that only reads: %s %s",
    async (...args) => {
      const data = folder.fresh("data");
      const { code, stdout, stderr } = await runMain([...args, "--data", data]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).not.toBe("");
      expect(existsSync(data)).toBe(false);
    },
  );

  it("is reported as missing in one sentence", async () => {
    const data = folder.fresh("data");
    const file = path.join(data, "throughline.db");
    expect((await runMain(["sessions", "--data", data])).stdout).toBe(
      `No sessions in ${file} yet. Add some: \`throughline import\`.\n`,
    );
    const backup = await runMain(["backup", folder.fresh(), "--data", data]);
    expect(backup).toMatchObject({ code: 2, stdout: "" });
    expect(backup.stderr).toContain(`Cannot back up ${file}: no data is stored yet.`);
  });

  it("cannot be in a file, nor in a folder without a name", async () => {
    const file = await folder.file("a-file", "");
    const inFile = await runMain(["import", "-", "--session", "s", "--data", file], { input: CHAT });
    expect(inFile).toMatchObject({ code: 2, stdout: "" });
    expect(inFile.stderr).toBe(`throughline: Not a folder: ${file}.\nChoose another folder with --data.\n`);
    expect(await runMain(["sessions", "--data", ""])).toMatchObject({ code: 2, stdout: "" });
  });

  it.runIf(process.getuid?.() === 0)("is left unchanged with exit code 3 if the user may not write", async () => {
    const { data, file } = await kept();
    await chmod(folder.path, 0o755);
    await chmod(data, 0o755);
    await chmod(file, 0o644);
    const before = await bytesOf(file);
    const uid = 65_534;
    const again = await runCli(["import", "-", "--session", "t", "--data", data], { input: CHAT, uid });
    expect(again).toMatchObject({ code: 3, stdout: "" });
    expect(again.stderr).toContain("Allow writing to the file and its folder, or use another path.");
    expect(await bytesOf(file)).toBe(before);
    const fresh = await runCli(["import", "-", "--session", "t", "--data", path.join(folder.path, "x")], {
      input: CHAT,
      uid,
    });
    expect(fresh).toMatchObject({ code: 3, stdout: "" });
    expect(fresh.stderr).toMatch(/Could not create the folder .*x \(EACCES\)\.\nAllow writing/);
  });

  it.each([
    ["of another program", async (file: string) => writeFile(file, "Dear diary".repeat(1_000))],
    ["cut off", async (file: string) => truncate(file, 5_000)],
    ["of a newer Throughline", async (file: string) => setVersion(file, 999)],
  ])("is left unchanged with exit code 3 if the file is %s", async (_, spoil) => {
    const { data, file } = await kept();
    await spoil(file);
    const before = await bytesOf(file);
    for (const args of [["sessions"], ["import", "-", "--session", "t"], ["purge", "s", "--yes"]]) {
      const { code, stdout, stderr } = await runMain([...args, "--data", data], { input: CHAT });
      expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
      expect(stderr.trim().split("\n")).toHaveLength(2);
    }
    const doctor = await runMain(["doctor", "--json", "--data", data]);
    expect(doctor.code).toBe(1);
    expect(JSON.parse(doctor.stdout).problems).toHaveLength(1);
    expect(await bytesOf(file)).toBe(before);
  });
});

function setVersion(file: string, version: number): void {
  const database = new DatabaseSync(file);
  database.exec(`INSERT INTO throughline_migrations VALUES (${version}, 'later', 0); PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
}

describe("throughline doctor", () => {
  it("prints the location, the content and the versions", async () => {
    const { data, file } = await kept();
    const { code, stdout } = await runMain(["doctor", "--data", data]);
    expect(code).toBe(0);
    expect(stdout).toContain(`data      ${file}\n`);
    expect(stdout).toContain("contains  1 session, 1 message, 1 part, 0 compactions, 0 receipts\n");
    expect(stdout).toContain("memories  0 memories, 0 turns, 0 open contradictions\n");
    expect(stdout).toContain("checks    integrity and foreign keys are intact\n");
    expect(stdout).toContain(`Node      ${process.versions.node}`);
    expect(stdout).toMatch(/\nNo problems found\.\n$/);
  });

  it("changes nothing", async () => {
    const { data, file } = await kept();
    const before = await bytesOf(file);
    await runMain(["doctor", "--data", data]);
    expect(await bytesOf(file)).toBe(before);
  });

  it("names the backup of a migration with its size, and how to remove it", async () => {
    const { data, file } = await kept();
    const backup = `${file}.v7.backup`;
    await copyFile(file, backup);
    await utimes(backup, new Date(), new Date("2026-01-01T12:00:00Z"));
    const { stdout, code } = await runMain(["doctor", "--data", data]);
    expect(code).toBe(0);
    const { size } = await stat(backup);
    expect(stdout).toMatch(new RegExp(`backup {4}${backup}, [\\d.]+ KB, from before the migration from version 7\n`));
    expect(stdout).toMatch(/ delete this file if you no longer need it; .* after 2026-01-31 /);
    const { backups } = JSON.parse((await runMain(["doctor", "--json", "--data", data])).stdout);
    expect(backups).toEqual([{ path: backup, version: 7, bytes: size, createdAt: Date.UTC(2026, 0, 1, 12) }]);
    expect(existsSync(backup)).toBe(true);
  });

  it("finds damage and broken references, and exits with 1", async () => {
    const lost = await kept();
    const database = new DatabaseSync(lost.file, { enableForeignKeyConstraints: false });
    database.exec("DELETE FROM sessions; PRAGMA wal_checkpoint(TRUNCATE)");
    database.close();
    const { code, stdout } = await runMain(["doctor", "--data", lost.data]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/problems?:\nA row of messages refers to a missing row of sessions\./);
  });

  it.runIf(process.platform === "linux")("lists the processes that have the file open", async () => {
    const { data, file } = await kept();
    const hold = `const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
      const database = new DatabaseSync(${JSON.stringify(file)}); database.exec("SELECT * FROM sessions");
      console.log("open"); setInterval(() => database, 1e6);`;
    const child = spawn(process.execPath, ["--no-warnings", "-e", hold]);
    try {
      await new Promise((resolve) => child.stdout.once("data", resolve));
      const { stdout } = await runMain(["doctor", "--json", "--data", data]);
      expect(JSON.parse(stdout).usedBy).toEqual([child.pid]);
    } finally {
      child.kill();
    }
  });
});

describe("throughline backup", () => {
  it("copies the data during concurrent writes", async () => {
    const { data, file } = await kept();
    const writer = new DatabaseSync(file);
    writer.exec("BEGIN IMMEDIATE; UPDATE sessions SET updated_at = 0");
    const target = folder.fresh("backup");
    const { code, stdout } = await runMain(["backup", target, "--data", data]);
    writer.exec("ROLLBACK");
    writer.close();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Copied [\d.]+ KB to .*backup-\d+\.\n$/);
    const restored = folder.fresh("data");
    await mkdir(restored);
    await writeFile(path.join(restored, "throughline.db"), await readFile(target));
    const { stdout: list } = await runMain(["sessions", "--json", "--data", restored]);
    expect(JSON.parse(list)).toMatchObject([{ sessionId: "s", appended: 1 }]);
  });

  it("overwrites nothing", async () => {
    const { data } = await kept();
    const target = await folder.file("precious", "mine");
    const { code, stdout, stderr } = await runMain(["backup", target, "--data", data]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toBe(
      `throughline: Could not write ${target}: the file already exists.\nChoose the name of a new file.\n`,
    );
    expect(await readFile(target, "utf8")).toBe("mine");
  });
});

describe("concurrent commands", () => {
  it("store everything in one file", async () => {
    const data = folder.fresh("data");
    const chat = (i: number) => JSON.stringify([{ role: "user", content: `Hello ${i}` }]);
    const runs = Array.from({ length: 3 }, (_, i) =>
      runCli(["import", "-", "--session", `s${i}`, "--data", data], { input: chat(i) }),
    );
    expect((await Promise.all(runs)).map(({ code, stderr }) => ({ code, stderr }))).toEqual(
      runs.map(() => ({ code: 0, stderr: "" })),
    );
    const { stdout } = await runMain(["sessions", "--json", "--data", data]);
    expect(JSON.parse(stdout)).toHaveLength(3);
    expect(await readdir(data)).toEqual(["throughline.db"]);
  });
});
