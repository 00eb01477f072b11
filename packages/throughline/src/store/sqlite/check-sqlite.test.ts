import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { MemoryStore } from "../../ports/memory-store.ts";
import type { Store } from "../../ports/store.ts";
import { change, contradiction, conversation, entry, fullMemory, fullTurn, journalEntry } from "../../test/samples.ts";
import { LATEST_VERSION } from "../sql/migrations/migrations.ts";
import { backupSqlite } from "./backup-sqlite.ts";
import { checkSqlite } from "./check-sqlite.ts";
import { sqliteStore } from "./sqlite-store.ts";

const key = { userId: "ann", sessionId: "s" };
const space = "user:ann";
const SOUND = { version: LATEST_VERSION, latestVersion: LATEST_VERSION, encryption: "none", problems: [] };

let folder: string;
let path: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "throughline-check-"));
  path = join(folder, "sessions.db");
  store = sqliteStore(path);
  await store.messages.append(key, 0, conversation(key, 200));
  await fillSpace();
});

async function fillSpace(): Promise<void> {
  await store.memories.commit(space, {
    revision: 0,
    memories: [{ memory: fullMemory("m", "text"), fingerprint: "f" }],
    turns: [fullTurn("t", "text")],
    entries: [entry("m", "words")],
    contradictions: [contradiction("c", "m", "n")],
    journal: [journalEntry("j", [change("m")])],
  });
  await store.memories.record(space, { judgements: [{ key: "k", memoryIds: ["m", "n"], contradicts: true }] });
}

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a check", () => {
  it("finds nothing wrong with a file that is in use, nor with one that is not", async () => {
    expect(await checkSqlite(path)).toEqual(SOUND);
    await store.close();
    const before = readFileSync(path);
    expect(await checkSqlite(path)).toEqual(SOUND);
    expect(readFileSync(path)).toEqual(before);
  });

  it("reports a file of a newer version", async () => {
    const database = new DatabaseSync(path);
    database.exec("INSERT INTO throughline_migrations VALUES (999, 'future', 0)");
    database.close();
    expect(await checkSqlite(path)).toEqual({ ...SOUND, version: 999 });
  });

  it("finds rows whose message is gone", async () => {
    const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    database.exec("DELETE FROM messages WHERE position = 7");
    database.close();
    const { problems } = await checkSqlite(path);
    expect(problems).toEqual(["A row of message_parts refers to a missing row of messages."]);
  });

  it("finds rows whose memory, journal entry or judgement is gone", async () => {
    const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    database.exec("DELETE FROM memories; DELETE FROM memory_journal; DELETE FROM judgements");
    database.close();
    const { problems } = await checkSqlite(path);
    expect([...new Set(problems)].sort()).toEqual([
      "A row of episode_artifacts refers to a missing row of memories.",
      "A row of journal_changes refers to a missing row of memory_journal.",
      "A row of judgement_memories refers to a missing row of judgements.",
    ]);
  });

  it("finds damage in the file", async () => {
    await store.close();
    const bytes = readFileSync(path);
    bytes.fill(0, bytes.length - 4096);
    writeFileSync(path, bytes);
    expect((await checkSqlite(path)).problems.length).toBeGreaterThan(0);
  });

  it("refuses files of other programs and missing files", async () => {
    await expect(checkSqlite(join(folder, "none.db"))).rejects.toMatchObject({ problem: "unavailable" });
    writeFileSync(join(folder, "notes.txt"), "Dear diary");
    await expect(checkSqlite(join(folder, "notes.txt"))).rejects.toMatchObject({ problem: "not-ours" });
  });
});

describe("a backup", () => {
  it("is a whole database of one moment, taken while others write", async () => {
    const target = join(folder, "backup.db");
    let isOver = false;
    const writer = (async () => {
      for (let at = 200; !isOver || at < 220; at++) await store.messages.append(key, at, conversation(key, 1, at));
    })();
    await store.sessions.head(key);
    await backupSqlite(path, target);
    isOver = true;
    await writer;
    expect(await checkSqlite(target)).toEqual(SOUND);
    const copy = sqliteStore(target);
    const { appended } = await copy.sessions.head(key);
    expect(appended).toBeGreaterThanOrEqual(200);
    expect(await copy.messages.list(key)).toEqual(conversation(key, appended));
    expect(await contentsOf(copy.memories)).toEqual(await contentsOf(store.memories));
    expect(await copy.messages.append(key, appended, conversation(key, 1, appended))).toBe(true);
    await copy.close();
  });

  it("never replaces a file", async () => {
    const target = join(folder, "precious.txt");
    writeFileSync(target, "");
    await expect(backupSqlite(path, target)).rejects.toMatchObject({ code: "invalid-option" });
    await expect(backupSqlite(path, path)).rejects.toMatchObject({ code: "invalid-option" });
    expect(readFileSync(target, "utf8")).toBe("");
  });

  it("leaves no file behind if it fails", async () => {
    const target = join(folder, "backup.db");
    await expect(backupSqlite(join(folder, "none.db"), target)).rejects.toMatchObject({ problem: "unavailable" });
    await expect(backupSqlite(path, join(folder, "none", "b.db"))).rejects.toMatchObject({ problem: "read-only" });
    expect(readdirSync(folder).filter((name) => name.startsWith("backup"))).toEqual([]);
  });
});

async function contentsOf(memoryStore: MemoryStore): Promise<unknown[]> {
  const contents = [
    await memoryStore.list(space, "memories"),
    await memoryStore.get(space, "turns", ["t"]),
    await memoryStore.list(space, "entries", { limit: 10 }),
    await memoryStore.list(space, "contradictions"),
    await memoryStore.list(space, "journal", { limit: 10 }),
  ];
  expect(contents.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1]);
  return [
    await memoryStore.head(space),
    (await memoryStore.get(space, "judgements", ["k"]))[0]?.contradicts,
    ...contents,
  ];
}
