import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../../ports/store.ts";
import { conversation } from "../../test/samples.ts";
import { backupSqlite } from "./backup-sqlite.ts";
import { checkSqlite } from "./check-sqlite.ts";
import { sqliteStore } from "./sqlite-store.ts";

const key = { userId: "ann", sessionId: "s" };

let folder: string;
let path: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "throughline-held-"));
  path = join(folder, "sessions.db");
  store = sqliteStore(path);
  await store.messages.append(key, 0, conversation(key, 3));
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

// Windows does not allow removing an open file.
describe.skipIf(process.platform === "win32")("a file that is taken away while it is open", () => {
  const ways: [string, () => void][] = [
    ["deleted", () => rmSync(path)],
    ["moved", () => renameSync(path, join(folder, "elsewhere.db"))],
    ["deleted with its folder", () => rmSync(folder, { recursive: true })],
  ];
  it.each(ways)("acknowledges nothing any more: %s", async (_, take) => {
    take();
    const gone = { problem: "unavailable", message: expect.stringContaining("was moved, replaced or deleted") };
    await expect(store.messages.append(key, 3, conversation(key, 1, 3))).rejects.toMatchObject(gone);
    await expect(store.messages.list(key)).rejects.toMatchObject(gone);
    expect(existsSync(path)).toBe(false);
  });

  it("does not mix with the one that was put in its place", async () => {
    const other = sqliteStore(join(folder, "other.db"));
    await other.messages.append(key, 0, conversation(key, 1));
    await other.close();
    renameSync(join(folder, "other.db"), path);
    await expect(store.messages.append(key, 3, conversation(key, 1, 3))).rejects.toMatchObject({
      problem: "unavailable",
    });
  });

  it("leaves a log that is not applied to the one that was put in its place", async () => {
    const other = sqliteStore(join(folder, "other.db"));
    await other.messages.append({ ...key, sessionId: "new" }, 0, conversation({ ...key, sessionId: "new" }, 1));
    await other.close();
    const kept = readFileSync(`${path}-wal`);
    renameSync(join(folder, "other.db"), path);
    const next = sqliteStore(path);
    const refused = {
      problem: "corrupt",
      message: expect.stringContaining("belongs to the previous file"),
    };
    await expect(next.messages.list(key)).rejects.toMatchObject(refused);
    expect(readFileSync(`${path}-wal`)).toEqual(kept);
    // The file stays, in case the old one is restored.
    await store.close();
    await expect(next.messages.list(key)).rejects.toMatchObject(refused);
    for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix);
    expect(await next.messages.list(key)).toEqual([]);
    expect(await next.messages.list({ ...key, sessionId: "new" })).toHaveLength(1);
    await next.close();
  });

  it("is used again when it is back", async () => {
    renameSync(path, join(folder, "elsewhere.db"));
    const append = () => store.messages.append(key, 3, conversation(key, 1, 3));
    await expect(append()).rejects.toMatchObject({ problem: "unavailable" });
    renameSync(join(folder, "elsewhere.db"), path);
    expect(await append()).toBe(true);
    expect(await store.messages.list(key)).toEqual(conversation(key, 4));
  });
});

// Without this lock an older SQLite in another process removes the log, and acknowledged writes are lost.
describe.runIf(existsSync("/proc/locks"))("the lock of a store on its file", () => {
  const visits: [string, () => Promise<unknown>][] = [
    ["another store that is opened", async () => visit(() => Promise.resolve())],
    ["another store that is closed again", async () => visit((other) => other.close())],
    ["a check", () => checkSqlite(path)],
    ["a backup", () => backupSqlite(path, join(folder, "backup.db"))],
  ];
  const opened: Store[] = [];
  afterEach(() => Promise.all(opened.splice(0).map((other) => other.close())));

  async function visit(leave: (other: Store) => Promise<void>): Promise<void> {
    const other = sqliteStore(path);
    opened.push(other);
    await other.sessions.head(key);
    await leave(other);
  }

  it.each(visits)("outlasts %s", async (_, work) => {
    expect(locks()).toBe(1);
    await work();
    expect(locks()).toBe(1);
  });

  function locks(): number {
    const file = `:${statSync(path).ino} `;
    return readFileSync("/proc/locks", "utf8")
      .split("\n")
      .filter((line) => line.includes(file)).length;
  }
});
