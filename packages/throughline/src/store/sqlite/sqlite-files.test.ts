import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { StoreProblem } from "../../errors/store-errors.ts";
import type { Store } from "../../ports/store.ts";
import { conversation } from "../../test/samples.ts";
import { createSqlStore } from "../sql/sql-store.ts";
import { APPLICATION_ID } from "./database-file.ts";
import { sqliteDriver, sqliteStore } from "./sqlite-store.ts";

const key = { userId: "ann", sessionId: "s" };

let folder: string;
let path: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-files-"));
  path = join(folder, "sessions.db");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Expects that reading and writing are refused and that the folder is unchanged byte for byte. */
async function expectRefused(problem: StoreProblem): Promise<void> {
  const before = contents();
  const store = sqliteStore(path, { busyTimeout: 0 });
  await expect(store.messages.list(key)).rejects.toMatchObject({ code: "store", problem });
  await expect(store.messages.append(key, 0, conversation(key, 1))).rejects.toMatchObject({ problem });
  await store.close();
  expect(contents()).toEqual(before);
}

function contents(): Record<string, string> {
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map(({ name }) => [name, readFileSync(join(folder, name), "base64")]));
}

/** The journal that SQLite finds beside a file that was empty before an interrupted transaction. */
function journalOfNothing(): Buffer {
  const journal = Buffer.alloc(512);
  journal.write("d9d505f920a163d7", "hex");
  const [records, nonce, pages, sectorSize, pageSize] = [0, 1, 0, 512, 4096];
  [records, nonce, pages, sectorSize, pageSize].forEach((value, i) => {
    journal.writeUInt32BE(value, 8 + 4 * i);
  });
  return journal;
}

/** Creates a store with a number of messages. */
async function fill(count: number): Promise<void> {
  const store = sqliteStore(path);
  await store.messages.append(key, 0, conversation(key, count));
  await store.close();
}

function raw(work: (database: DatabaseSync) => void): void {
  const database = new DatabaseSync(path);
  work(database);
  database.close();
}

describe("a SQLite file", () => {
  it("keeps its data when it is opened again, and is a single file while it is closed", async () => {
    await fill(5);
    expect(readdirSync(folder)).toEqual(["sessions.db"]);
    const store = sqliteStore(path);
    expect(await store.messages.list(key)).toEqual(conversation(key, 5));
    await store.close();
  });

  it("is not touched before the first call", async () => {
    const store = sqliteStore(path);
    expect(existsSync(path)).toBe(false);
    await store.close();
    expect(existsSync(path)).toBe(false);
  });

  it("may be there already, if it is empty", async () => {
    writeFileSync(path, "");
    await fill(1);
  });

  it("has the given name, even if it is special elsewhere", async () => {
    const foreign = join(folder, "foreign.db");
    path = foreign;
    raw((database) => database.exec("CREATE TABLE invoices (id)"));
    const before = readFileSync(foreign);
    const store = sqliteStore(`file:${foreign}`);
    await expect(store.sessions.head(key)).rejects.toMatchObject({ problem: "read-only" });
    await store.close();
    expect(readFileSync(foreign)).toEqual(before);
  });

  it("can be opened again when the problem is gone", async () => {
    writeFileSync(path, "This is no database.");
    const store = sqliteStore(path);
    await expect(store.sessions.head(key)).rejects.toMatchObject({ problem: "not-ours" });
    rmSync(path);
    expect(await store.messages.append(key, 0, conversation(key, 1))).toBe(true);
    await store.close();
  });

  it("keeps its mark when SQLite rolls back an unfinished creation", async () => {
    raw((database) => database.exec(`PRAGMA application_id = ${APPLICATION_ID}`));
    writeFileSync(`${path}-journal`, journalOfNothing());
    await fill(5);
    const store = sqliteStore(path);
    expect(await store.messages.list(key)).toEqual(conversation(key, 5));
    await store.close();
  });
});

describe("refused and left unchanged is", () => {
  it("a file that is no database", async () => {
    writeFileSync(path, "Dear diary, ".repeat(1000));
    await expectRefused("not-ours");
    writeFileSync(path, "x");
    await expectRefused("not-ours");
  });

  it("a database of another program", async () => {
    raw((database) => database.exec("CREATE TABLE invoices (id); INSERT INTO invoices VALUES (1)"));
    await expectRefused("not-ours");
    raw((database) => database.exec("PRAGMA journal_mode = WAL; PRAGMA application_id = 77"));
    await expectRefused("not-ours");
  });

  it("a database that has our mark and other tables", async () => {
    await fill(1);
    raw((database) => database.exec("PRAGMA journal_mode = DELETE; DROP TABLE throughline_migrations"));
    // SQLite enables the log again; no row changes.
    const store = sqliteStore(path);
    await expect(store.messages.list(key)).rejects.toMatchObject({ problem: "not-ours" });
    await store.close();
    raw((database) => expect(database.prepare("SELECT id FROM messages").all()).toHaveLength(1));
  });

  it("a file of ours that was cut off, anywhere", async () => {
    await fill(200);
    const size = readFileSync(path).length;
    for (const length of [size - 1, size - 4096, Math.floor(size / 2), 4096, 1000, 99, 50, 7]) {
      truncateSync(path, length);
      await expectRefused("corrupt");
    }
  });

  it("a file of ours with damaged pages, when they are read", async () => {
    await fill(200);
    const bytes = readFileSync(path);
    bytes.fill(0xa5, 4096);
    writeFileSync(path, bytes);
    const store = sqliteStore(path);
    await expect(store.messages.list(key)).rejects.toMatchObject({ problem: "corrupt" });
    await store.close();
  });

  it("a file of a newer version", async () => {
    await fill(2);
    raw((database) => database.exec("INSERT INTO throughline_migrations VALUES (999, 'future', 0)"));
    await expectRefused("newer-version");
  });

  it("a folder, and a file in a folder that is not there", async () => {
    mkdirSync(path);
    await expectRefused("not-ours");
    path = join(folder, "none", "sessions.db");
    await expectRefused("read-only");
    await expect(sqliteStore(path).sessions.head(key)).rejects.toMatchObject({
      message: `Cannot create ${path}: the folder ${join(folder, "none")} does not exist. Create the folder first, or use another path.`,
    });
    mkdirSync(join(folder, "none"));
    expect(await sqliteStore(path).sessions.head(key)).toMatchObject({ appended: 0 });
  });

  it.skipIf(process.platform === "win32")("what is no file, without waiting for it", async () => {
    execFileSync("mkfifo", [path]);
    await expectRefused("not-ours");
  });

  it("any file under a Node without SQLite", async () => {
    const none = vi.spyOn(process, "getBuiltinModule").mockReturnValue(undefined as never);
    try {
      const store = sqliteStore(path);
      await expect(store.sessions.head(key)).rejects.toMatchObject({
        problem: "unsupported",
        summary: `SQLite needs Node 22.13 or later; this is Node ${process.versions.node}.`,
      });
    } finally {
      none.mockRestore();
    }
  });
});

describe("a file that cannot be written", () => {
  it("can be read, and reports on a write that it is read-only", async () => {
    await fill(3);
    // To read it, SQLite needs two more files beside it.
    await asNobody(0o777, async () => {
      const store = sqliteStore(path);
      expect(await store.messages.list(key)).toEqual(conversation(key, 3));
      expect(await outcome(store)).toBe("read-only");
      await store.close();
    });
    const store = sqliteStore(path);
    expect(await store.messages.list(key)).toEqual(conversation(key, 3));
    await store.close();
  });

  it("in a folder without write permission, reports that", async () => {
    await asNobody(0o555, async () => {
      const store = sqliteStore(path);
      expect(await outcome(store)).toBe("read-only");
      await store.close();
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  /** Runs work as an unprivileged user: root may write everywhere. */
  async function asNobody(folderMode: number, work: () => Promise<void>): Promise<void> {
    const isRoot = process.geteuid?.() === 0;
    if (existsSync(path)) chmodSync(path, 0o444);
    chmodSync(folder, folderMode);
    if (isRoot) process.seteuid?.(65_534);
    try {
      await work();
    } finally {
      if (isRoot) process.seteuid?.(0);
      chmodSync(folder, 0o755);
      if (existsSync(path)) chmodSync(path, 0o644);
    }
  }

  async function outcome(store: Store): Promise<unknown> {
    return store.messages
      .append(key, 3, conversation(key, 1, 3))
      .catch((error: { problem?: unknown }) => error.problem);
  }
});

describe("a full disk", () => {
  it("is reported, and earlier data stays", async () => {
    const store = createSqlStore(sqliteDriver(path, { maxPages: 80 }));
    let appended = 0;
    const grow = async () => {
      for (; ; appended += 10) await store.messages.append(key, appended, conversation(key, 10, appended));
    };
    await expect(grow()).rejects.toMatchObject({ problem: "full" });
    expect(appended).toBeGreaterThan(50);
    expect(await store.messages.list(key)).toEqual(conversation(key, appended));
    const state = { revision: 0, state: "x".repeat(60_000) };
    await expect(store.sessions.commit(key, state)).rejects.toMatchObject({ problem: "full" });
    expect((await store.sessions.head(key)).revision).toBe(0);
    await store.close();

    const roomier = sqliteStore(path);
    expect(await roomier.messages.append(key, appended, conversation(key, 10, appended))).toBe(true);
    expect(await roomier.sessions.commit(key, state)).toBe(true);
    await roomier.close();
    raw((database) => expect(database.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" }));
  });
});
