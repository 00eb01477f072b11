import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { longTest } from "../../throughline/test/long-tests.ts";
import { runMain } from "./cli-in-process.ts";
import { endOf, startCli, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const TABLE = "CREATE TABLE messages (id TEXT PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, created_at)";

/** A database of another program, with such rows. */
function legacy(rows: readonly (readonly SQLInputValue[])[], table = TABLE): string {
  const file = folder.fresh("old");
  const database = new DatabaseSync(file);
  database.exec(table);
  const insert = database.prepare(
    `INSERT INTO messages VALUES (${Array(rows[0]?.length ?? 0)
      .fill("?")
      .join(", ")})`,
  );
  database.exec("BEGIN");
  for (const row of rows) insert.run(...row);
  database.exec("COMMIT");
  database.close();
  return file;
}

async function migrate(from: string, data: string, ...args: string[]) {
  const { stdout, ...run } = await runMain(["migrate-legacy", "--from", from, "--data", data, "--json", ...args]);
  return { ...run, result: JSON.parse(stdout) };
}

async function shown(data: string, session: string): Promise<{ id: string; role: string; preview: string }[]> {
  const { stdout } = await runMain(["show", session, "--json", "--data", data]);
  return JSON.parse(stdout).messages;
}

const text = (value: string) => JSON.stringify(value);
const CALL = JSON.stringify([
  { type: "text", text: "I look." },
  { type: "tool-call", toolCallId: "c1", toolName: "read", input: { path: "/a" } },
]);
const RESULT = JSON.stringify([
  { type: "tool-result", toolCallId: "c1", toolName: "read", output: { type: "text", value: "a file" } },
]);

describe("throughline migrate-legacy", () => {
  it("imports the rows of a flat table by session, ordered by time", async () => {
    const data = folder.fresh("data");
    const from = legacy([
      ["m4", "b", "user", text("later"), "2024-02-29 12:00:00"],
      ["m3", "a", "tool", RESULT, 1_700_000_003],
      ["m1", "a", "user", text("Look"), "2023-11-14T22:13:21Z"],
      ["m2", "a", "assistant", CALL, 1_700_000_002_000],
      ["m0", "b", "user", "no JSON at all", 1_600_000_000],
    ]);
    const before = await readFile(from);
    const { code, stderr, result } = await migrate(from, data);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(result).toMatchObject({
      rows: 5,
      sessions: [
        { id: "a", added: 3 },
        { id: "b", added: 2 },
      ],
      unreadable: [],
    });
    expect((await shown(data, "a")).map(({ id, role }) => [id, role])).toEqual([
      ["m1", "user"],
      ["m2", "assistant"],
      ["m3", "tool"],
    ]);
    expect((await shown(data, "a"))[1]?.preview).toBe('I look. read({"path":"/a"})');
    expect((await shown(data, "b")).map(({ preview }) => preview)).toEqual(["no JSON at all", "later"]);
    expect(await readFile(from)).toEqual(before);
    const again = await migrate(from, data);
    expect(again.result).toMatchObject({
      sessions: [
        { added: 0, known: 3 },
        { added: 0, known: 2 },
      ],
    });
  });

  it("accepts numeric ids, missing times, and a table without row numbers", async () => {
    const data = folder.fresh("data");
    const numbered = "CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id INTEGER, role TEXT, content BLOB)";
    const from = legacy([[9_007_199_254_740_993n, 1, "user", Buffer.from(text("big"))]], numbered);
    expect((await migrate(from, data)).result).toMatchObject({ sessions: [{ id: "1", added: 1 }] });
    expect(await shown(data, "1")).toMatchObject([{ id: "9007199254740993", preview: "big" }]);
    const unnumbered = legacy(
      [
        ["z", "2", "user", text("first"), 1],
        ["a", "2", "user", text("second"), 2],
      ],
      `${TABLE} WITHOUT ROWID`,
    );
    await migrate(unnumbered, data);
    expect((await shown(data, "2")).map(({ preview }) => preview)).toEqual(["first", "second"]);
  });

  it("counts and lists invalid rows, imports the others, and exits with 1", async () => {
    const data = folder.fresh("data");
    const from = legacy([
      ["m1", "s", "user", text("Hello"), 1],
      ["m2", "s", "robot", text("Beep"), 2],
      ["m3", null, "user", text("Whose?"), 3],
      ["m4", "s", "user", null, 4],
    ]);
    const { code, result } = await migrate(from, data);
    expect(code).toBe(1);
    expect(result).toMatchObject({ rows: 4, sessions: [{ id: "s", added: 1 }] });
    expect(result.unreadable).toEqual([
      { sessionId: null, id: "m3", problem: "no session_id" },
      { sessionId: "s", id: "m2", problem: 'unknown role "robot"' },
      { sessionId: "s", id: "m4", problem: "no content" },
    ]);
    const { stdout } = await runMain(["migrate-legacy", "--from", from, "--data", data]);
    expect(stdout).toContain(
      "3 rows could not be read:\n  session –, id m3: no session_id\n  session s, id m2: unknown",
    );
  });

  it("prints what it would do in a dry run, and creates nothing", async () => {
    const data = folder.fresh("data");
    const from = legacy([["m1", "s", "user", text("Hello"), 1]]);
    const { stdout } = await runMain(["migrate-legacy", "--from", from, "--dry-run", "--data", data]);
    expect(stdout).toContain("1 message of 1 session would be added to ");
    expect(existsSync(data)).toBe(false);
    await migrate(from, data);
    expect((await migrate(from, data, "--dry-run")).result).toMatchObject({ sessions: [{ added: 0, known: 1 }] });
  });

  longTest("gives the same result after Ctrl-C and a second run as in one run", async () => {
    const rows = Array.from({ length: 12_000 }, (_, i) => {
      const role = i % 2 === 0 ? "user" : "assistant";
      return [`m${i}`, `s${i % 3}`, role, text(`message ${i} `.repeat(20)), 1_700_000_000 + i];
    });
    const from = legacy(rows);
    const [stopped, whole] = [folder.fresh("data"), folder.fresh("data")];
    const child = startCli(["migrate-legacy", "--from", from, "--data", stopped]);
    child.stderr.once("data", () => child.kill("SIGINT"));
    const first = await endOf(child);
    expect(first.code).toBe(130);
    expect(first.stderr).toMatch(/^Migrating… 10%\n(?:.*\n)*throughline: Stopped\./);
    const second = await migrate(from, stopped);
    await migrate(from, whole);
    const known = second.result.sessions.reduce((sum: number, one: { known: number }) => sum + one.known, 0);
    expect(known).toBeGreaterThan(0);
    expect(known).toBeLessThan(rows.length);
    for (const session of ["s0", "s1", "s2"])
      expect(await shown(stopped, session)).toEqual(await shown(whole, session));
  });

  it.each([
    ["a file that is not there", () => `${folder.path}/nowhere`, [], "nowhere: the file does not exist"],
    ["a text", () => folder.file("notes.txt", "Dear diary, today I wrote"), [], "notes.txt"],
    [
      "a table that is not there",
      () => legacy([["m1", "s", "user", "x", 1]]),
      ["--table", "chats"],
      "Cannot read the table chats: it does not exist; the tables are messages.",
    ],
    [
      "a table of something else",
      () => legacy([[1]], "CREATE TABLE messages (id)"),
      [],
      "Cannot read the table messages: it has no columns session_id, role, content.",
    ],
  ])("exits with 2 for %s", async (_, file, args, problem) => {
    const data = folder.fresh("data");
    const { code, stdout, stderr } = await runMain(["migrate-legacy", "--from", await file(), "--data", data, ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(problem);
    expect(existsSync(data)).toBe(false);
  });
});

describe("throughline migrate-legacy without a file", () => {
  /** A database of Throughline with rows whose content was never split into parts. */
  async function withFlatRows(contents: readonly string[], role = "user"): Promise<string> {
    const data = folder.fresh("own");
    await runMain(["import", "--session", "s", "--data", data, "-"], { input: transcript(contents.length) });
    const database = new DatabaseSync(`${data}/throughline.db`);
    database.exec("DELETE FROM message_parts");
    const flatten = database.prepare("UPDATE messages SET content = ?, role = ? WHERE position = ?");
    contents.forEach((content, position) => {
      flatten.run(content, role, position);
    });
    database.close();
    return data;
  }

  const transcript = (length: number) =>
    JSON.stringify(Array.from({ length }, (_, i) => ({ role: i % 2 === 0 ? "user" : "assistant", content: `m${i}` })));

  it("converts messages of the old format in its own data, and reads the same as before", async () => {
    const contents = Array.from({ length: 450 }, (_, i) => text(`said ${i}`));
    const data = await withFlatRows(contents);
    const before = await shown(data, "s");
    const { code, stdout } = await runMain(["migrate-legacy", "--data", data, "--json"]);
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, converted: 450, unreadable: [] });
    expect(await shown(data, "s")).toEqual(before);
    const again = await runMain(["migrate-legacy", "--data", data]);
    expect(again.stdout).toContain("No messages in the old format in");
    expect((await runMain(["doctor", "--data", data])).code).toBe(0);
  });

  it("leaves unreadable messages unchanged, and reports them", async () => {
    const data = await withFlatRows([text("hello")], "wizard");
    const { code, stdout } = await runMain(["migrate-legacy", "--data", data]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/Converted 0 messages .*\n {2}session s, id .* was not converted: .*wizard/);
  });

  it("creates nothing without data", async () => {
    const data = folder.fresh("none");
    expect((await runMain(["migrate-legacy", "--data", data])).code).toBe(0);
    expect(existsSync(data)).toBe(false);
  });
});
