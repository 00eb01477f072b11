import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { sqliteStore } from "../../../throughline/src/store/sqlite/sqlite.ts";
import { parseTranscriptStream } from "../../../throughline/src/transcript/parse-transcript.ts";
import type { TranscriptEvent } from "../../../throughline/src/transcript/transcript.ts";
import { temporaryFolder } from "../../test/run-cli.ts";
import { Progress } from "../terminal/progress.ts";
import { openTranscript } from "./read-transcript.ts";

const folder = temporaryFolder();

/** The tables of OpenCode 1.18, with the columns that are read. */
const SCHEMA = `
  CREATE TABLE session (id text PRIMARY KEY, project_id text, parent_id text, directory text, title text, version text,
    time_created integer, time_updated integer);
  CREATE TABLE message (id text PRIMARY KEY, session_id text, time_created integer, time_updated integer, data text);
  CREATE TABLE part (id text PRIMARY KEY, message_id text, session_id text, data text);
  CREATE TABLE session_message (id text PRIMARY KEY, session_id text, type text, seq integer, time_created integer,
    time_updated integer, data text);`;

interface Filler {
  session(id: string, at: number, parent?: string): void;
  /** In the older tables. */
  message(id: string, session: string, at: number, data: object | string, ...parts: (object | string)[]): void;
  /** In the newer one. */
  entry(id: string, session: string, at: number, type: string, data: object | string): void;
}

const written = (data: object | string) => (typeof data === "string" ? data : JSON.stringify(data));

function filler(database: DatabaseSync): Filler {
  return {
    session: (id, at, parent) =>
      database
        .prepare("INSERT INTO session VALUES (?, 'p', ?, '/repo', ?, '1.18.33', ?, ?)")
        .run(id, parent ?? null, `Title of ${id}`, at, at),
    message: (id, session, at, data, ...parts) => {
      database.prepare("INSERT INTO message VALUES (?, ?, ?, ?, ?)").run(id, session, at, at, written(data));
      parts.forEach((part, i) => {
        database.prepare("INSERT INTO part VALUES (?, ?, ?, ?)").run(`prt_${id}_${i}`, id, session, written(part));
      });
    },
    entry: (id, session, at, type, data) =>
      database
        .prepare("INSERT INTO session_message VALUES (?, ?, ?, ?, ?, ?, ?)")
        .run(id, session, type, at, at, at, written(data)),
  };
}

/** A database that OpenCode has closed. */
async function makeDatabase(fill: (into: Filler) => void): Promise<string> {
  const place = folder.fresh("opencode");
  await mkdir(place);
  const file = path.join(place, "opencode.db");
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode = wal; ${SCHEMA}`);
  fill(filler(database));
  database.close();
  return file;
}

const user = { role: "user", time: { created: 1 } };
const text = (value: string) => ({ type: "text", text: value });

async function chunksOf(file: string): Promise<AsyncIterable<Uint8Array>> {
  return (await openTranscript(file)).read(new Progress("", 0));
}

async function read(file: string): Promise<TranscriptEvent[]> {
  const events: TranscriptEvent[] = [];
  for await (const event of parseTranscriptStream(await chunksOf(file))) events.push(event);
  return events;
}

const saidIn = (events: readonly TranscriptEvent[]) =>
  events.flatMap((event) =>
    event.type === "message"
      ? [
          `${event.sessionId} ${event.message.role}: ${event.message.parts
            .map((part) => {
              if (part.type === "text") return part.synthetic ? "(injected)" : part.text;
              return part.type === "tool-result" ? `${part.toolCallId} ${JSON.stringify(part.output)}` : part.type;
            })
            .join(", ")}`,
        ]
      : [],
  );

describe("OpenCode's database", () => {
  it("returns all sessions from the older tables", async () => {
    const state = { status: "completed", input: { command: "ls" }, output: "a.ts" };
    const file = await makeDatabase((into) => {
      into.session("ses_1", 1);
      into.message("msg_1", "ses_1", 1, user, text("go"));
      into.message(
        "msg_2",
        "ses_1",
        2,
        { role: "assistant", modelID: "m" },
        { type: "step-start" },
        { type: "tool", callID: "c1", tool: "bash", state },
      );
      into.session("ses_2", 2, "ses_1");
      into.message("msg_3", "ses_2", 3, user, text("explore"));
    });
    const events = await read(file);
    expect(events.filter(({ type }) => type === "session")).toMatchObject([
      { id: "ses_1", meta: { title: "Title of ses_1", cwd: "/repo", version: "1.18.33", startedAt: 1 } },
      { id: "ses_2", meta: { parentId: "ses_1" } },
    ]);
    expect(saidIn(events)).toEqual([
      "ses_1 user: go",
      "ses_1 assistant: step-start, tool-call",
      'ses_1 tool: c1 {"type":"text","value":"a.ts"}',
      "ses_2 user: explore",
    ]);
  });

  it("returns the messages of the newer table, none of them twice", async () => {
    const tool = (id: string, state: object) => ({ type: "tool", id, name: "bash", state, time: { created: 1 } });
    const file = await makeDatabase((into) => {
      into.session("ses_1", 1);
      into.message("msg_1", "ses_1", 1, user, text("go"));
      into.entry("msg_1", "ses_1", 1, "user", { time: { created: 1 }, text: "go" });
      into.entry("msg_2", "ses_1", 2, "model-switched", { model: { id: "m" } });
      into.entry("msg_3", "ses_1", 3, "user", {
        time: { created: 3 },
        text: "and on",
        files: [{ uri: "file:///a.png", mime: "image/png", name: "a.png" }],
      });
      into.entry("msg_4", "ses_1", 4, "assistant", {
        time: { created: 4 },
        model: { id: "claude-sonnet-4-5", providerID: "anthropic" },
        finish: "tool-calls",
        tokens: { input: 5, output: 6, reasoning: 1, cache: { read: 7, write: 8 } },
        content: [
          { type: "reasoning", id: "r1", text: "hm", providerMetadata: { anthropic: { signature: "sig" } } },
          { type: "text", id: "t1", text: "Running." },
          tool("c1", { status: "completed", input: { command: "ls" }, content: [{ type: "text", text: "a.ts" }] }),
          tool("c2", { status: "error", input: {}, content: [], error: { type: "unknown", message: "no" } }),
          tool("c3", { status: "running", input: {}, content: [] }),
        ],
      });
      into.entry("msg_5", "ses_1", 5, "synthetic", { time: { created: 5 }, text: "The file changed." });
      into.entry("msg_6", "ses_1", 6, "shell", { time: { created: 6 }, callID: "c4", command: "pwd", output: "/repo" });
      into.entry("msg_7", "ses_1", 7, "compaction", { time: { created: 7 }, reason: "auto", summary: "We went." });
    });
    const events = await read(file);
    expect(saidIn(events)).toEqual([
      "ses_1 user: go",
      "ses_1 user: and on, file",
      "ses_1 assistant: reasoning, Running., tool-call, tool-call, tool-call",
      'ses_1 tool: c1 {"type":"text","value":"a.ts"}, c2 {"type":"error-text","value":"no"}',
      "ses_1 user: (injected)",
      "ses_1 assistant: tool-call",
      'ses_1 tool: c4 {"type":"text","value":"/repo"}',
      "ses_1 assistant: We went.",
    ]);
    expect(events.filter(({ type }) => type === "compaction")).toMatchObject([{ compaction: { summary: "We went." } }]);
    expect(events.flatMap((event) => (event.type === "message" ? [event.message] : []))[2]).toMatchObject({
      modelId: "claude-sonnet-4-5",
      usage: { input: 5, output: 7, cache: { read: 7, write: 8 } },
    });
  });

  it("counts invalid rows and reads the others", async () => {
    const file = await makeDatabase((into) => {
      into.session("ses_1", 1);
      into.message("msg_1", "ses_1", 1, "{oops", text("lost"));
      into.message("msg_2", "ses_1", 2, user, "{oops", text("go"));
      into.entry("msg_3", "ses_1", 3, "user", "[]");
      into.entry("msg_4", "ses_1", 4, "user", { text: "on" });
    });
    const events = await read(file);
    expect(saidIn(events)).toEqual(["ses_1 user: go", "ses_1 user: on"]);
    expect(events.filter(({ type }) => type === "skipped")).toHaveLength(3);
  });

  it("is not written to, nor is its folder", async () => {
    const file = await makeDatabase((into) => {
      into.session("ses_1", 1);
      into.message("msg_1", "ses_1", 1, user, text("go"));
    });
    const before = await readFile(file);
    expect(saidIn(await read(file))).toEqual(["ses_1 user: go"]);
    expect(await readFile(file)).toEqual(before);
    expect(await readdir(path.dirname(file))).toEqual(["opencode.db"]);
  });

  it("is read as a snapshot while OpenCode writes", async () => {
    const file = await makeDatabase(() => undefined);
    const writer = new DatabaseSync(file);
    try {
      const into = filler(writer);
      into.session("ses_1", 1);
      into.message("msg_1", "ses_1", 1, user, text("in the log alone"));
      writer.exec("BEGIN IMMEDIATE");
      into.message("msg_2", "ses_1", 2, user, text("not committed"));
      const lines = (await chunksOf(file))[Symbol.asyncIterator]();
      const first = await lines.next();
      writer.exec("COMMIT");
      into.message("msg_3", "ses_1", 3, user, text("too late"));
      const rest: string[] = [];
      for (let next = await lines.next(); !next.done; next = await lines.next()) {
        rest.push(new TextDecoder().decode(next.value));
      }
      expect(new TextDecoder().decode(first.value)).toContain('"id":"ses_1"');
      expect(rest.map((line) => JSON.parse(line).parts[0].text)).toEqual(["in the log alone"]);
    } finally {
      writer.close();
    }
  });

  it("is rejected if it changed while it was read", async () => {
    const file = await makeDatabase((into) => into.session("ses_1", 1));
    const lines = (await chunksOf(file))[Symbol.asyncIterator]();
    await lines.next();
    const writer = new DatabaseSync(file);
    try {
      filler(writer).session("ses_2", 2);
      await expect(lines.next()).rejects.toThrow(
        /opencode\.db changed while it was being read\. Run the command again\.$/,
      );
    } finally {
      writer.close();
    }
  });
});

describe("another program's database", () => {
  const refused = async (sql: string) => {
    const file = folder.fresh("other.db");
    const database = new DatabaseSync(file);
    database.exec(sql);
    database.close();
    return expect(read(file)).rejects;
  };

  it("is rejected by name", async () => {
    await (await refused("CREATE TABLE ItemTable (key)")).toThrow(
      "This looks like a Cursor or VS Code database, which is",
    );
    await (await refused("CREATE TABLE _sqlx_migrations (v); CREATE TABLE threads (id)")).toThrow("a Codex database");
    await (await refused("CREATE TABLE invoice (id); CREATE TABLE session (id)")).toThrow(
      "Not a known transcript: an SQLite database of another program (tables: invoice, session).",
    );
    const ours = folder.fresh("throughline.db");
    const store = sqliteStore(ours);
    await store.sessions.head({ userId: "u", sessionId: "s" });
    await store.close();
    await expect(read(ours)).rejects.toThrow("a Throughline database");
  });
});

describe("the folders of older versions of OpenCode", () => {
  it("are read from the file of a session", async () => {
    const storage = path.join(folder.fresh("data"), "storage");
    const write = async (name: string, value: unknown) => {
      const file = path.join(storage, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, typeof value === "string" ? value : JSON.stringify(value));
      return file;
    };
    const file = await write("session/p1/ses_1.json", { id: "ses_1", title: "Old", directory: "/repo" });
    await write("message/ses_1/msg_1.json", { id: "msg_1", sessionID: "ses_1", role: "user" });
    await write("message/ses_1/msg_2.json", { id: "msg_2", sessionID: "ses_1", role: "assistant" });
    await write("message/ses_1/msg_3.json", "{oops");
    await write("part/msg_1/prt_1.json", text("go"));
    await write("part/msg_2/prt_2.json", { type: "reasoning", text: "hm" });
    await write("part/msg_2/prt_3.json", text("gone"));
    const events = await read(file);
    expect(saidIn(events)).toEqual(["ses_1 user: go", "ses_1 assistant: reasoning, gone"]);
    expect(events.filter(({ type }) => type === "skipped")).toHaveLength(1);
    expect(events.find(({ type }) => type === "session")).toMatchObject({ meta: { title: "Old", cwd: "/repo" } });
  });
});
