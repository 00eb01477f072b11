import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { liveWith, MarkedWords, wordsIn, writeFields } from "../../../test/marked-words.ts";
import { conversation } from "../../test/samples.ts";
import { checkSqlite } from "./check-sqlite.ts";
import { encryptSqlite } from "./encrypt-sqlite.ts";
import { type SqliteStoreOptions, sqliteStore } from "./sqlite-store.ts";

const encryptionKey = "0f".repeat(32);
const otherKey = "f0".repeat(32);
const key = { userId: "ada", sessionId: "fields" };

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-encrypt-"));
  path = join(folder, "sessions.db");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A plain file with content in all columns; returns the content. */
async function fill({ isLived = false } = {}): Promise<MarkedWords> {
  const words = new MarkedWords();
  const store = sqliteStore(path);
  await writeFields(store, words.next);
  if (isLived) await liveWith(store, words.next);
  const long = { userId: "ada", sessionId: "long" };
  await store.messages.append(long, 0, conversation(long, 1200));
  await store.close();
  raw((database) => {
    const insert = "INSERT INTO messages (owner, session_id, position, id, role, created_at, content)";
    const content = JSON.stringify([{ type: "text", text: words.next() }]);
    database.prepare(`${insert} VALUES ('ada', 'fields', 1, 'old', 'user', 7, ?)`).run(content);
    database.prepare(`${insert} VALUES ('ada', 'fields', 2, 'broken', 'wizard', 7, ?)`).run(words.next());
    database.exec("UPDATE sessions SET appended = 2 WHERE id = 'fields'");
  });
  return words;
}

function raw<T>(work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

const SLOTS = ["user|residence"];

/** Results of all reads. */
async function contentsOf(options: SqliteStoreOptions): Promise<unknown[]> {
  const store = sqliteStore(path, options);
  const { messages, sessions, memories, documents } = store;
  const found: unknown[] = [await documents.get("user:ada", "habits"), await memories.spaces()];
  for (const { sessionId } of await sessions.list("ada")) {
    const one = { userId: "ada", sessionId };
    found.push(await messages.list(one, { limit: sessionId === "fields" ? 2 : 2000 }), await messages.marks(one));
    found.push(await sessions.state(one), await sessions.compactions(one), await sessions.receipts(one));
  }
  for (const space of await memories.spaces()) {
    found.push(await memories.list(space, "memories"), await memories.list(space, "turns", { sessionId: "ingested" }));
    found.push(
      await memories.list(space, "entries", { limit: 1000 }),
      await memories.list(space, "journal", { limit: 1000 }),
    );
    found.push(await memories.list(space, "contradictions"));
  }
  found.push(
    await memories.list("user:fields", "memories", { current: true, matchAny: { slots: SLOTS, fingerprints: ["?"] } }),
    (await memories.get("user:fields", "judgements", ["judged"]))[0]?.contradicts,
  );
  found.push((await store.server.jobs.list()).map(({ lastError }) => lastError));
  found.push(await store.server.answers.claim("ada", "key", "request", 1));
  await store.close();
  return found;
}

async function addLookups(): Promise<void> {
  const store = sqliteStore(path);
  const space = "user:fields";
  const { revision } = await store.memories.head(space);
  const [memory] = await store.memories.list(space, "memories");
  if (memory === undefined) throw new Error("There is no memory.");
  const found = { ...memory, id: "slotted" };
  const { validTo: _, archivedAt: __, ...current } = found;
  await store.memories.commit(space, {
    revision,
    memories: [{ memory: current, slot: SLOTS[0] ?? "", fingerprint: "" }],
  });
  await store.memories.record(space, { judgements: [{ key: "judged", memoryIds: ["mem"], contradicts: true }] });
  await store.close();
}

function filesOf(): Buffer[] {
  return readdirSync(folder).map((name) => readFileSync(join(folder, name)));
}

function digest(): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

describe("a file that is encrypted later", () => {
  it("keeps its data, and none of it is readable", async () => {
    const words = await fill({ isLived: true });
    await addLookups();
    const before = await contentsOf({});
    expect(wordsIn(filesOf()).size).toBeGreaterThan(100);
    const told: number[] = [];
    const done = await encryptSqlite(path, { encryptionKey, onProgress: ({ added }) => told.push(added) });
    expect(done).toEqual({ sealed: told.reduce((sum, rows) => sum + rows), wasEncrypted: false });
    expect(done.sealed).toBeGreaterThan(2400);
    expect([...wordsIn(filesOf())]).toEqual([]);
    expect(readdirSync(folder)).toEqual(["sessions.db"]);
    expect(await checkSqlite(path, { encryptionKey })).toMatchObject({ encryption: "checked", problems: [] });
    expect(await contentsOf({ encryptionKey })).toEqual(before);
    expect(words.all.length).toBeGreaterThan(150);
  });

  it("still has flat messages of old, which can be given their parts", async () => {
    await fill();
    await encryptSqlite(path, { encryptionKey });
    const store = sqliteStore(path, { encryptionKey });
    const [before] = await store.messages.list(key, { from: 1, limit: 1 });
    expect(before?.parts).toEqual([{ id: "old.0", type: "text", text: expect.stringMatching(/^zqv/) }]);
    const { converted, unreadable } = await store.convertLegacy();
    expect([converted, unreadable.map(({ id }) => id)]).toEqual([1, ["broken"]]);
    expect(await store.messages.list(key, { from: 1, limit: 1 })).toMatchObject([{ id: "old", parts: before?.parts }]);
    await store.close();
    expect([...wordsIn(filesOf())]).toEqual([]);
  });

  it("is unchanged if the work is stopped at any time", async () => {
    await fill();
    const before = await contentsOf({});
    let moments = 0;
    const stop = new Error("stopped");
    await encryptSqlite(copy(), { encryptionKey, onProgress: () => (moments += 1) });
    for (const moment of [1, 2, Math.floor(moments / 2), moments]) {
      let left = moment;
      const onProgress = () => {
        left -= 1;
        if (left === 0) throw stop;
      };
      await expect(encryptSqlite(path, { encryptionKey, onProgress })).rejects.toBe(stop);
      expect(await checkSqlite(path)).toMatchObject({ encryption: "none", problems: [] });
      expect(await contentsOf({})).toEqual(before);
    }
    expect(moments).toBeGreaterThan(10);
  });

  it("is not encrypted while another process has it open, and cannot be opened meanwhile", async () => {
    await fill();
    const store = sqliteStore(path);
    await store.sessions.head(key);
    const busy = { problem: "busy", hint: expect.stringContaining("Stop the processes that use it") };
    await expect(encryptSqlite(path, { encryptionKey })).rejects.toMatchObject(busy);
    const fresh = { userId: "ada", sessionId: "fresh" };
    expect(await store.messages.append(fresh, 0, conversation(fresh, 1))).toBe(true);
    await store.close();
    const problems: unknown[] = [];
    let tries: Promise<void> = Promise.resolve();
    const other = sqliteStore(path, { busyTimeout: 0 });
    const onProgress = () => {
      tries = tries
        .then(() => other.sessions.head(key))
        .then(
          () => void problems.push("none"),
          (error) => void problems.push(error.problem),
        );
    };
    await encryptSqlite(path, { encryptionKey, onProgress });
    await tries;
    await other.close();
    // Late callers find it encrypted.
    expect(new Set(problems)).toEqual(new Set(["busy", "encrypted"].filter((one) => problems.includes(one))));
    expect(problems[0]).toBe("busy");
  });

  it("is left unchanged if it is encrypted with this key, and refused if with another", async () => {
    await fill();
    await encryptSqlite(path, { encryptionKey });
    const before = digest();
    expect(await encryptSqlite(path, { encryptionKey })).toEqual({ sealed: 0, wasEncrypted: true });
    await expect(encryptSqlite(path, { encryptionKey: otherKey })).rejects.toMatchObject({ problem: "wrong-key" });
    expect(digest()).toBe(before);
  });

  it("is cleaned by the next call if the first was interrupted after its transaction", async () => {
    const words = await fill();
    await encryptSqlite(path, { encryptionKey });
    raw((database) => {
      // SQLite leaves unused pages with text on them.
      database.exec("PRAGMA secure_delete = OFF; CREATE TABLE left (word); UPDATE throughline_keys SET is_clean = 0");
      database.prepare("INSERT INTO left VALUES (?)").run(`${words.next()} `.repeat(2000));
      database.exec("DROP TABLE left");
    });
    expect(wordsIn(filesOf()).size).toBe(1);
    const left = ["The file may contain unencrypted traces. Run the encryption again."];
    expect((await checkSqlite(path)).problems).toEqual(left);
    expect((await checkSqlite(path, { encryptionKey })).problems).toEqual(left);
    expect(await encryptSqlite(path, { encryptionKey })).toEqual({ sealed: 0, wasEncrypted: true });
    expect([...wordsIn(filesOf())]).toEqual([]);
    expect(await checkSqlite(path, { encryptionKey })).toMatchObject({ encryption: "checked", problems: [] });
  });

  it("is not created if it is missing, and files of other programs are refused", async () => {
    await expect(encryptSqlite(path, { encryptionKey })).rejects.toMatchObject({ problem: "unavailable" });
    expect(readdirSync(folder)).toEqual([]);
    raw((database) => database.exec("CREATE TABLE invoices (id)"));
    const before = digest();
    await expect(encryptSqlite(path, { encryptionKey })).rejects.toMatchObject({ problem: "not-ours" });
    expect(digest()).toBe(before);
  });

  it.skipIf(process.platform === "win32")("stays the same file, with the permissions that it had", async () => {
    await fill();
    chmodSync(path, 0o600);
    const { ino } = statSync(path);
    await encryptSqlite(path, { encryptionKey });
    expect(statSync(path)).toMatchObject({ ino });
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  function copy(): string {
    const target = join(folder, "copy.db");
    copyFileSync(path, target);
    return target;
  }
});
