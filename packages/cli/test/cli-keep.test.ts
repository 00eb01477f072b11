import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createServer } from "../../server/src/server.ts";
import { ask } from "../../server/test/request.ts";
import { studioFolder } from "../../server/test/studio-folder.ts";
import { sqliteStore } from "../../throughline/src/store/sqlite/sqlite.ts";
import { SOAK } from "../../throughline/test/cases.ts";
import { longTest } from "../../throughline/test/long-tests.ts";
import { runMain } from "./cli-in-process.ts";
import { endOf, runCli, startCli, temporaryFolder } from "./run-cli.ts";

const folder = temporaryFolder();
const studio = studioFolder();

/** A Claude Code transcript: one request, then the given number of calls with results. */
function transcript(sessionId: string, calls: number, words = 200): string {
  const timestamp = "2025-11-14T22:13:20Z";
  const chain = { parentUuid: null, sessionId, isSidechain: false, cwd: "/home/ada", timestamp };
  const request = { ...chain, type: "user", uuid: "u0", message: { role: "user", content: "Fix the build" } };
  const steps = Array.from({ length: calls }, (_, i) => {
    const use = { type: "tool_use", id: `t${i}`, name: "Read", input: { file_path: `/src/f${i}.ts` } };
    const result = { type: "tool_result", tool_use_id: `t${i}`, content: `line ${i}\n`.repeat(words) };
    return [
      { ...chain, type: "assistant", uuid: `a${i}`, message: { id: `m${i}`, content: [use] } },
      { ...chain, type: "user", uuid: `r${i}`, message: { role: "user", content: [result] } },
    ];
  });
  return [request, ...steps.flat()].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Names of the files in a folder that contain a text. */
async function filesWith(text: string, data: string): Promise<string[]> {
  const files = (await readdir(data)).map(async (name) => {
    const isThere = (await readFile(path.join(data, name))).includes(text);
    return isThere ? [name] : [];
  });
  return (await Promise.all(files)).flat();
}

/** Runs commands on a separate data folder. */
function onData(data = folder.fresh("data")) {
  const env = { THROUGHLINE_DATA: data };
  const run = (args: readonly string[], input = "") =>
    input === "" ? runMain([...args, "--data", data]) : runMain(args, { env, input });
  const json = async (args: readonly string[], input = "") =>
    JSON.parse((await run([...args, "--json"], input)).stdout);
  return { data, env, run, json };
}

async function kept(calls = 60) {
  const on = onData();
  await on.run(["import", await folder.file(`kept-${calls}.jsonl`, transcript("s1", calls))]);
  return on;
}

describe("throughline import", () => {
  it("stores the sessions of transcripts, and prints the number of messages of each", async () => {
    const { run, json } = onData();
    const files = [
      await folder.file("a.jsonl", transcript("s1", 2)),
      await folder.file("b.jsonl", transcript("s2", 1)),
    ];
    const { code, stdout, stderr } = await run(["import", ...files]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/added +known {2}session\n +5 +0 {2}s1\n +3 +0 {2}s2\n8 messages of 2 sessions added to /);
    expect(await json(["sessions"])).toMatchObject([
      { sessionId: "s2", appended: 3 },
      { sessionId: "s1", appended: 5 },
    ]);
  });

  it("adds only new messages of the same file, even if it ended within a message", async () => {
    const { run, json } = onData();
    const whole = transcript("s1", 3);
    const file = await folder.file("growing.jsonl", whole.slice(0, whole.indexOf('"uuid":"r1"')));
    await run(["import", file]);
    await folder.file("growing.jsonl", whole);
    const again = await json(["import", file]);
    expect(again.files).toMatchObject([{ format: "claude-code", sessions: [{ id: "s1", added: 3, known: 4 }] }]);
    const third = await run(["import", file]);
    expect(third.stdout).toContain("Nothing new;");
    const fresh = onData();
    await fresh.run(["import", file]);
    const messages = (on: typeof fresh) => on.json(["recall", "messages:u0..a2/results", "--session", "s1"]);
    expect((await messages({ ...fresh, json })).messages).toEqual((await messages(fresh)).messages);
  });

  it("reads standard input; a session without an id is named by the file or by --session", async () => {
    const { run, json } = onData();
    const chat = JSON.stringify([{ role: "user", content: "Hello" }]);
    const unnamed = await run(["import", "-"], chat);
    expect(unnamed).toMatchObject({ code: 2, stdout: "Nothing was imported.\n" });
    expect(unnamed.stderr).toContain("Name the session with --session.");
    expect((await run(["import", "-", "--session", "greeting"], chat)).code).toBe(0);
    await run(["import", await folder.file("trip.json", chat)]);
    expect((await json(["sessions"])).map((one: { sessionId: string }) => one.sessionId)).toEqual(["trip", "greeting"]);
  });

  it("does not mix two sessions with the same name", async () => {
    const { run, json } = onData();
    const file = await folder.file("chat.json", JSON.stringify([{ role: "user", content: "Hello" }]));
    await run(["import", file]);
    await folder.file(
      "chat.json",
      JSON.stringify([
        { role: "user", content: "Bonjour" },
        { role: "user", content: "!" },
      ]),
    );
    const other = await run(["import", file]);
    expect(other.code).toBe(1);
    expect(other.stdout).toContain("Session chat: a different session is stored under this id, so nothing was added.");
    expect(await json(["sessions"])).toMatchObject([{ sessionId: "chat", appended: 1 }]);
  });

  it("continues after an unreadable file, and exits with 2", async () => {
    const { run, json } = onData();
    const empty = await folder.file("empty.jsonl", "");
    const good = await folder.file("good.jsonl", transcript("s1", 1));
    const { code, stderr } = await run(["import", empty, path.join(folder.path, "nowhere"), good]);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /empty\.jsonl: The transcript is empty\.\n[^\n]+\nthroughline: .*nowhere: the file does not exist/,
    );
    expect(await json(["sessions"])).toMatchObject([{ sessionId: "s1", appended: 3 }]);
  });

  it("creates nothing if nothing could be imported", async () => {
    const { run, data } = onData();
    expect(await run(["import", path.join(folder.path, "nowhere")])).toMatchObject({
      code: 2,
      stdout: "Nothing was imported.\n",
    });
    expect(existsSync(data)).toBe(false);
  });

  it.runIf(SOAK > 1)("needs memory for a batch, not for the file", async () => {
    const { env } = onData();
    const large = await folder.file("large.jsonl", transcript("s1", 750, 4_000));
    expect((await stat(large)).size).toBeGreaterThan(25_000_000);
    const args = ["import", large, "--json"];
    const { code, stdout, stderr } = await runCli(args, { env, node: ["--max-old-space-size=45"] });
    expect(code).toBe(0);
    expect(JSON.parse(stdout).files).toMatchObject([{ sessions: [{ id: "s1", added: 1_501 }] }]);
    expect(stderr).toMatch(/^Importing… 10%\n(?:Importing… \d+%\n)*Importing… 100%\n$/);
  });

  longTest("stops at Ctrl-C with an intact database, and continues from there", async () => {
    const { env, json, run } = onData();
    const file = await folder.file("long.jsonl", transcript("s1", 3_000, 500));
    const child = startCli(["import", file], { env });
    child.stderr.once("data", () => child.kill("SIGINT"));
    const { code, stdout, stderr } = await endOf(child);
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toContain("Stopped. Everything imported so far is stored; run the same command again to continue.");
    expect(await json(["doctor"])).toMatchObject({ problems: [] });
    const [before = { appended: 0 }] = await json(["sessions"]);
    const { files } = await json(["import", file]);
    expect(files).toMatchObject([{ sessions: [{ added: 6_001 - before.appended, known: before.appended }] }]);
    expect((await run(["show", "s1", "--all"])).stdout.match(/ {2}(?:tool|assistant|user) /g)).toHaveLength(6_001);
  });

  it("stops at Ctrl-C while it waits for input", async () => {
    const { env } = onData();
    const child = startCli(["import", "-"], { env });
    // More than a pipe buffers: the writer finishes only after the reader has read most of it.
    child.stdin.write(transcript("s1", 400, 500), () => child.kill("SIGINT"));
    expect(await endOf(child)).toMatchObject({ code: 130, stdout: "" });
  });
});

describe("a stored session", () => {
  it("is listed, shown and measured", async () => {
    const { run } = await kept();
    const list = await run(["sessions"]);
    expect(list.stdout).toMatch(
      /^session +messages +compactions +last change\ns1 +121 +0 +\d{4}-\d\d-\d\d \d\d:\d\d\n$/,
    );
    const { stdout } = await run(["show", "s1", "--budget", "10000"]);
    expect(stdout).toMatch(
      /^session s1: 121 messages, 0 compactions\n {2}121 messages in the window, [\d,]+ of 10,000 tokens \(\d+%\)/,
    );
    expect(stdout).toContain("… 81 older messages; --all prints them.");
    expect(stdout).toMatch(/ {2}tool +a59\/results {2}Read: line 59/);
  });

  it("is compacted, and the compaction can be recalled and undone", async () => {
    const { run, json } = await kept();
    const before = await json(["show", "s1"]);
    const compacted = await run(["compact", "--session", "s1", "--budget", "3000"]);
    expect(compacted.code).toBe(0);
    expect(compacted.stdout).toContain("Undo: throughline restore s1 s1/compaction-1");
    const shown = await json(["show", "s1"]);
    expect(shown.tokens).toBeLessThanOrEqual(3_000);
    expect(shown).toMatchObject({ appended: 121, compactions: 1 });
    expect(shown.messages).toContainEqual(expect.objectContaining({ compaction: "s1/compaction-1" }));
    const recalled = await run(["recall", "compaction-1", "--session", "s1"]);
    expect(recalled.stdout).toContain('Read({"file_path":"/src/f0.ts"})');
    const restored = await run(["restore", "s1", "compaction-1"]);
    expect(restored).toMatchObject({ code: 0, stderr: "" });
    expect(restored.stdout).toMatch(/^s1\/compaction-1 is undone: \d+ messages came back\.\n$/);
    const after = await json(["show", "s1"]);
    const ids = (window: { messages: { id: string }[] }) => window.messages.map(({ id }) => id);
    expect(ids(after)).toEqual(ids(before));
    const twice = await run(["restore", "s1", "compaction-1"]);
    expect(twice).toMatchObject({ code: 0, stdout: "s1/compaction-1 was already undone.\n", stderr: "" });
    const dry = await json(["restore", "s1", "compaction-1", "--dry-run"]);
    expect(dry).toMatchObject({ wasUndone: true, messages: 0 });
    const unknown = await run(["restore", "s1", "compaction-9"]);
    expect(unknown).toMatchObject({ code: 2, stdout: "" });
    expect(unknown.stderr).toBe(
      'throughline: Compaction id "compaction-9" was not found in session s1.\nList the compactions of the session with `throughline show s1`.\n',
    );
  });

  it("keeps all its messages in the window if nothing fits the budget", async () => {
    const { run, json } = await kept(2);
    const before = await json(["show", "s1"]);
    const { code, stderr } = await run(["compact", "--session", "s1", "--budget", "10"]);
    expect(code).toBe(2);
    expect(stderr).toContain("into a budget of 10");
    const ids = (window: { messages: { id: string }[] }) => window.messages.map(({ id }) => id);
    expect(ids(await json(["show", "s1"]))).toEqual(ids(before));
  });

  it("is found by a unique prefix of its id", async () => {
    const { run } = onData();
    const files = ["s-one", "s-two"].map((id) => folder.file(`${id}.jsonl`, transcript(id, 1)));
    await run(["import", ...(await Promise.all(files))]);
    expect((await run(["show", "s-o"])).stdout).toContain("session s-one: 3 messages");
    const both = await run(["show", "s-"]);
    expect(both).toMatchObject({ code: 2, stdout: "" });
    expect(both.stderr).toContain("The session id s- is ambiguous: s-one, s-two");
  });

  it("is printed without control characters", async () => {
    const { run, json } = onData();
    const chat = [{ role: "user", content: "red \u001b[31malert\u001b[0m\u0007\r\nnext\u202e" }];
    await run(["import", "-", "--session", "s"], JSON.stringify(chat));
    const { stdout } = await run(["recall", "message:m0", "--session", "s"]);
    expect(stdout).toContain("red alert\nnext\n");
    expect((await json(["recall", "message:m0", "--session", "s"])).messages).toMatchObject([
      { parts: [{ text: chat[0]?.content }] },
    ]);
  });

  it("is reported as missing if the id is unknown", async () => {
    const [some, none] = [await kept(1), onData()];
    for (const args of [
      ["show", "nobody"],
      ["recall", "message:m0", "--session", "nobody"],
      ["restore", "nobody", "compaction-1"],
      ["purge", "nobody", "--yes"],
      ["compact", "--session", "nobody", "--budget", "1000"],
    ]) {
      const { code, stdout, stderr } = await some.run(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(
        /No session has the id or prefix nobody in .*\nList the stored sessions with `throughline sessions`\.\n/,
      );
      expect(await none.run(args)).toMatchObject({ code: 2, stdout: "" });
    }
    expect(existsSync(none.data)).toBe(false);
  });
});

describe("throughline purge", () => {
  it("requires --yes without a terminal, and the full id", async () => {
    const { run, json } = await kept(1);
    const unsure = await run(["purge", "s1"]);
    expect(unsure).toMatchObject({ code: 2, stdout: "" });
    expect(unsure.stderr).toContain("Add --yes to erase the session without confirmation.");
    expect(await run(["purge", "s", "--yes"])).toMatchObject({ code: 2, stdout: "" });
    expect(await json(["sessions"])).toHaveLength(1);
  });

  it("erases a session from the files, and leaves the others", async () => {
    const { data, run, json } = onData();
    const secret = "xylophone-of-hers";
    await run(["import", "-", "--session", "s"], JSON.stringify([{ role: "user", content: secret }]));
    await run(["import", "-", "--session", "t"], JSON.stringify([{ role: "user", content: "of his" }]));
    expect(await json(["purge", "s", "--yes"])).toEqual({
      session: "s",
      dryRun: false,
      purged: true,
      messages: 1,
    });
    expect(await json(["sessions"])).toMatchObject([{ sessionId: "t" }]);
    const files = ["throughline.db", "throughline.db-wal"].map((name) => path.join(data, name)).filter(existsSync);
    for (const file of files) expect((await readFile(file)).includes(secret)).toBe(false);
  });

  it("erases the backup of a migration, which has the session too", async () => {
    const { data, run, json } = onData();
    const secret = "xylophone-of-hers";
    await run(["import", "-", "--session", "s"], JSON.stringify([{ role: "user", content: secret }]));
    const file = path.join(data, "throughline.db");
    await copyFile(file, `${file}.v7.backup`);
    expect(await filesWith(secret, data)).toContain("throughline.db.v7.backup");
    expect(await json(["purge", "s", "--yes"])).toMatchObject({ purged: true });
    expect(await filesWith(secret, data)).toEqual([]);
  });

  it("erases the copies of a server: responses, session options and the extraction position", async () => {
    const { data, json } = onData();
    await json(["import", "-", "--session", "other"], JSON.stringify([{ role: "user", content: "of his" }]));
    const file = path.join(data, "throughline.db");
    const { own, shared } = await writeByServer(file);
    expect((await json(["purge", "--memory", own, "--yes"])).purged).toBe(true);
    expect(await answerOf(file, "bob")).toMatchObject({ body: "The shared harpsichord" });
    expect((await json(["purge", "--memory", shared, "--yes"])).purged).toBe(true);
    expect((await json(["purge", "s", "--yes"])).purged).toBe(true);
    const bytes = await readFile(file);
    const marks = ["xylophone", "harpsichord", "glockenspiel", "session-options:s", "extracted:s"];
    expect(marks.filter((mark) => bytes.includes(mark))).toEqual([]);
  });

  /** Writes to the file through a server, with an Idempotency-Key each time; returns the ids of the saved memories. */
  async function writeByServer(file: string): Promise<{ own: string; shared: string }> {
    const store = sqliteStore(file);
    const server = await createServer({ port: 0, studio: studio.path, store });
    const post = async (to: string, body: object) => {
      const headers = { "content-type": "application/json", "idempotency-key": randomUUID() };
      const answer = await ask(server.url, to, {
        method: "POST",
        headers: { ...headers, "x-throughline-project": "shop" },
        body: JSON.stringify(body),
      });
      expect([200, 201]).toContain(answer.status);
      return answer.json() as { memory: { id: string } };
    };
    const own = await post("/memories", { text: "I play the xylophone." });
    const shared = await post("/memories", { text: "We own a harpsichord.", scope: "project-shared" });
    await post("/sessions", { id: "s", model_id: "glockenspiel" });
    await post("/sessions/s/messages", { messages: [{ role: "user", content: "Hello." }] });
    await store.documents.put("user:local", "extracted:s", { revision: 0, value: 1 });
    await store.server.answers.claim("bob", "key", "request", 60_000);
    const answer = { request: "request", status: 200, headers: {}, body: "The shared harpsichord" };
    await store.server.answers.save("bob", "key", answer);
    await server.close();
    await store.close();
    return { own: own.memory.id, shared: shared.memory.id };
  }

  async function answerOf(file: string, owner: string): Promise<unknown> {
    const store = sqliteStore(file);
    const answer = await store.server.answers.claim(owner, "key", "request", 1);
    await store.close();
    return answer;
  }
});
