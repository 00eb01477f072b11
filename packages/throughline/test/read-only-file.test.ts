import { mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { sqliteStore } from "../src/store/sqlite/sqlite-store.ts";
import { conversation } from "../src/test/samples.ts";

// Root can write everything: the mocked functions fail as they do on a read-only file system.
let isReadOnly = false;
vi.mock("node:fs", async (load) => {
  const fs = await load<typeof import("node:fs")>();
  const refusing =
    <A extends unknown[]>(change: (...args: A) => void) =>
    (...args: A) => {
      if (isReadOnly) throw Object.assign(new Error("EROFS"), { code: "EROFS" });
      change(...args);
    };
  return { ...fs, accessSync: refusing(fs.accessSync), rmSync: refusing(fs.rmSync) };
});

const key = { userId: "ann", sessionId: "s" };
let folder: string;
let path: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "throughline-read-only-"));
  path = join(folder, "a file #1?.db");
  const store = sqliteStore(path);
  await store.messages.append(key, 0, conversation(key, 3));
  await store.close();
});

afterEach(() => {
  isReadOnly = false;
  rmSync(folder, { recursive: true, force: true });
});

describe("a store on a read-only file system", () => {
  it("can be read, refuses writes, and leaves no file beside it", async () => {
    isReadOnly = true;
    const store = sqliteStore(path);
    expect(await store.messages.list(key)).toEqual(conversation(key, 3));
    const write = store.messages.append(key, 3, conversation(key, 1, 3));
    await expect(write).rejects.toMatchObject({ problem: "read-only" });
    expect(await store.messages.list(key)).toHaveLength(3);
    await store.close();
    expect(readdirSync(folder)).toEqual(["a file #1?.db"]);
  });
});

describe("a file of no bytes", () => {
  it.each(["just created", "touched an hour later"])("is a new store, if it was %s", async (when) => {
    const empty = join(folder, "empty.db");
    writeFileSync(empty, "");
    const time = Date.now() / 1_000 + (when === "just created" ? 0 : 3_600);
    utimesSync(empty, time, time);
    const store = sqliteStore(empty);
    expect(await store.messages.append(key, 0, conversation(key, 1))).toBe(true);
    await store.close();
  });

  it("is refused if it has a -wal file", async () => {
    truncateSync(path, 0);
    writeFileSync(`${path}-wal`, "log");
    const store = sqliteStore(path);
    const message = expect.stringContaining("is empty but has a -wal file: it was truncated.");
    await expect(store.messages.list(key)).rejects.toMatchObject({ problem: "corrupt", message });
    await store.close();
  });
});
