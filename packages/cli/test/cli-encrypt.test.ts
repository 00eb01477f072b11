import { copyFileSync, readdirSync, readFileSync } from "node:fs";
import { chmod } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { memoryCommands } from "./cli-in-process.ts";
import { temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const KEY = Buffer.alloc(32, 7).toString("base64");
const OTHER = Buffer.alloc(32, 8).toString("base64");

function setKey(variables: Readonly<Record<string, string>>): void {
  delete process.env.THROUGHLINE_ENCRYPTION_KEY;
  delete process.env.THROUGHLINE_ENCRYPTION_KEY_FILE;
  delete process.env.THROUGHLINE_CONFIG;
  Object.assign(process.env, variables);
}

afterEach(() => setKey({}));

async function keyFile(name: string, key: string, mode = 0o600): Promise<string> {
  const file = await folder.file(name, `${key}\n`);
  await chmod(file, mode);
  return file;
}

/** Commands on a separate data folder with one saved memory. */
async function remembering() {
  const commands = memoryCommands(folder.fresh("data"));
  await commands.keep("The launch code word is zqvbluexuq");
  return { ...commands, file: path.join(commands.data, "throughline.db") };
}

/** True if the memory's text is readable in a file of the folder. */
function isReadable(data: string): boolean {
  return readdirSync(data).some((name) => readFileSync(path.join(data, name), "latin1").includes("zqvbluexuq"));
}

describe("data with a key in the environment", () => {
  it("is encrypted from the start, and every command works with it", async () => {
    setKey({ THROUGHLINE_ENCRYPTION_KEY: KEY });
    const { data, json, run } = await remembering();
    expect(isReadable(data)).toBe(false);
    expect(JSON.stringify(await json("recall", "launch code"))).toContain("zqvbluexuq");
    expect(await json("doctor")).toMatchObject({ encryption: "checked", problems: [], rows: { memories: 1 } });
    const { stdout } = await run("doctor");
    expect(stdout).toContain("  encrypted yes, and readable with the key\n");
  });

  it("uses the key file of the settings if no variable is set", async () => {
    const settings = { encryption_key_file: await keyFile("settings.key", KEY) };
    setKey({ THROUGHLINE_CONFIG: await folder.file("config.json", JSON.stringify(settings)) });
    const { data, json, run } = await remembering();
    expect(isReadable(data)).toBe(false);
    expect(await json("memories")).toHaveLength(1);
    setKey({ THROUGHLINE_ENCRYPTION_KEY: OTHER });
    expect(await run("memories")).toMatchObject({ code: 3 });
  });

  it("is rejected by every command without the key or with another, and doctor reports it", async () => {
    setKey({ THROUGHLINE_ENCRYPTION_KEY: KEY });
    const { json, run } = await remembering();
    setKey({});
    const refused = await run("memories");
    expect(refused).toMatchObject({ code: 3, stdout: "" });
    expect(refused.stderr).toMatch(
      /^throughline: Cannot open the database: it is encrypted, and no key was given\.\nPass its key/,
    );
    expect(await json("doctor")).toMatchObject({ encryption: "not-checked", problems: [], rows: { memories: 1 } });
    expect((await run("doctor")).stdout).toMatch(/encrypted yes, not checked.*No problems found/s);
    setKey({ THROUGHLINE_ENCRYPTION_KEY: OTHER });
    expect(await run("memories")).toMatchObject({ code: 3, stderr: expect.stringContaining("with another key") });
    const doctor = await run("doctor");
    expect(doctor).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("The file is encrypted with another key. Use that key."),
    });
  });

  it("is copied without the key, and the copy is encrypted too", async () => {
    setKey({ THROUGHLINE_ENCRYPTION_KEY: KEY });
    const { run } = await remembering();
    setKey({});
    const copies = folder.fresh("copies");
    const { data } = memoryCommands(copies);
    expect(await run("backup", `${data}.db`)).toMatchObject({ code: 0 });
    expect(readFileSync(`${data}.db`, "latin1")).not.toContain("zqvbluexuq");
  });

  it.skipIf(process.platform === "win32")("is left alone if the key file is unsafe or unreadable", async () => {
    const { run } = await remembering();
    const open = await keyFile("open.key", KEY, 0o644);
    setKey({ THROUGHLINE_ENCRYPTION_KEY_FILE: open });
    expect(await run("memories")).toEqual({
      code: 2,
      stdout: "",
      stderr: `throughline: Invalid key file ${open}: readable by other users (mode 644).\nExpected a private file: chmod 600 ${open}.\n`,
    });
    setKey({ THROUGHLINE_ENCRYPTION_KEY: "hunter2hunter2" });
    const { code, stderr } = await run("memories");
    expect(code).toBe(2);
    expect(stderr).not.toContain("hunter2");
  });
});

describe("throughline encrypt", () => {
  it("encrypts all stored text, keeps all data, and leaves no plain backup of a migration", async () => {
    const { data, file, json, run } = await remembering();
    copyFileSync(file, `${file}.v7.backup`);
    expect(isReadable(data)).toBe(true);
    setKey({ THROUGHLINE_ENCRYPTION_KEY_FILE: await keyFile("seal.key", KEY) });
    expect(await run("memories")).toMatchObject({ code: 3, stderr: expect.stringContaining("`throughline encrypt`") });
    expect(await run("doctor")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("Encrypt the file, or omit the key"),
    });
    const done = await run("encrypt");
    expect(done).toMatchObject({ code: 0, stderr: "" });
    expect(done.stdout).toMatch(/^Encrypted \d+ rows in .*\. Keep the key: without it the data cannot be read\.\n$/);
    expect(isReadable(data)).toBe(false);
    expect(JSON.stringify(await json("recall", "launch code"))).toContain("zqvbluexuq");
    expect((await run("encrypt")).stdout).toBe(`${file} is already encrypted with this key.\n`);
    expect(await json("encrypt")).toEqual({ data: file, sealed: 0, wasEncrypted: true, keyChanged: false });
  });

  it("changes the key of encrypted data", async () => {
    setKey({ THROUGHLINE_ENCRYPTION_KEY: KEY });
    const { file, run, json } = await remembering();
    const next = await keyFile("next.key", OTHER);
    const done = await run("encrypt", "--new-key-file", next);
    expect(done.stdout).toBe(`${file} now uses the new key. The old key no longer opens it.\n`);
    expect(await run("memories")).toMatchObject({ code: 3 });
    setKey({ THROUGHLINE_ENCRYPTION_KEY_FILE: next });
    expect(JSON.stringify(await json("recall", "launch code"))).toContain("zqvbluexuq");
  });

  it("reports missing data or a missing key", async () => {
    const { run } = memoryCommands(folder.fresh("data"));
    setKey({ THROUGHLINE_ENCRYPTION_KEY: KEY });
    expect(await run("encrypt")).toMatchObject({ code: 2, stderr: expect.stringContaining("no data is stored yet") });
    setKey({});
    const kept = await remembering();
    expect(await kept.run("encrypt")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("no encryption key is set."),
    });
    setKey({ THROUGHLINE_ENCRYPTION_KEY: KEY });
    const file = await keyFile("plain.key", OTHER);
    expect(await kept.run("encrypt", "--new-key-file", file)).toMatchObject({ code: 3, stdout: "" });
  });

  it("has help that fits a screen", async () => {
    const { stdout } = await memoryCommands(folder.fresh("data")).run("encrypt", "--help");
    expect(stdout).toContain("THROUGHLINE_ENCRYPTION_KEY_FILE");
    expect(Math.max(...stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(100);
  });
});
