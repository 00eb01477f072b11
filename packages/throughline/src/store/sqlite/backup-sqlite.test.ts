import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DAY } from "../../internal/time.ts";
import { createThroughline } from "../../throughline.ts";
import { migrate, versionOf } from "../sql/migrate.ts";
import { LATEST_VERSION, MIGRATIONS } from "../sql/migrations/migrations.ts";
import { createSqlStore } from "../sql/sql-store.ts";
import { findMigrationBackups } from "./backup-sqlite.ts";
import { encryptSqlite } from "./encrypt-sqlite.ts";
import { sqliteDriver, sqliteStore } from "./sqlite-store.ts";

/** Schema version of 0.1. */
const OLD_VERSION = 5;

let folder: string;
let file: string;
let backup: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-migration-"));
  file = join(folder, "memory.db");
  backup = `${file}.v${OLD_VERSION}.backup`;
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const backups = () => readdirSync(folder).filter((name) => name.includes(".backup"));

/** Names of the files in which a word can be read. */
const filesWith = (word: string) =>
  readdirSync(folder).filter((name) => readFileSync(join(folder, name), "latin1").includes(word));

async function versionIn(path: string): Promise<number> {
  const driver = sqliteDriver(path);
  const version = await driver.read((tx) => versionOf(tx, "sqlite"));
  await driver.close();
  return version;
}

/** Creates a file of version 0.1, with a document in it. */
async function createOld(): Promise<void> {
  const driver = sqliteDriver(file);
  await migrate(driver, MIGRATIONS.slice(0, OLD_VERSION));
  await driver.write((tx) =>
    tx.run("INSERT INTO documents (space, name, revision, value) VALUES ('user:ann', 'd', 1, '\"zqvblue\"')"),
  );
  await driver.close();
}

/** Opens the file, which migrates it, and closes it again. */
async function open(now?: number): Promise<unknown> {
  const store = createSqlStore(sqliteDriver(file, now === undefined ? {} : { clock: { now: () => now } }));
  const document = await store.documents.get("user:ann", "d");
  await store.close();
  return document?.value;
}

describe("a file of version 0.1", () => {
  it("is migrated when it is opened, and a copy of the earlier version stays beside it", async () => {
    await createOld();
    expect(await open()).toBe("zqvblue");
    expect(await versionIn(file)).toBe(LATEST_VERSION);
    expect(backups()).toEqual([`memory.db.v${OLD_VERSION}.backup`]);
    expect(findMigrationBackups(file)).toMatchObject([{ path: backup, version: OLD_VERSION }]);
    const copy = createSqlStore(sqliteDriver(backup));
    expect((await copy.documents.get("user:ann", "d"))?.value).toBe("zqvblue");
    await copy.close();
  });

  it.runIf(process.platform !== "win32")("has a copy with the same permissions", async () => {
    await createOld();
    chmodSync(file, 0o640);
    await open();
    expect(statSync(backup).mode & 0o777).toBe(0o640);
  });

  it("has its copy beside the file, also if it is opened through a link", async () => {
    await createOld();
    const elsewhere = mkdtempSync(join(tmpdir(), "throughline-link-"));
    const link = join(elsewhere, "link.db");
    symlinkSync(file, link);
    const store = sqliteStore(link);
    await store.documents.get("user:ann", "d");
    await store.close();
    rmSync(elsewhere, { recursive: true });
    expect(backups()).toEqual([`memory.db.v${OLD_VERSION}.backup`]);
  });

  it("has one copy if several processes open it at once, and it is of the earlier version", async () => {
    await createOld();
    await Promise.all([open(), open(), open()]);
    expect(backups()).toEqual([`memory.db.v${OLD_VERSION}.backup`]);
    expect(await versionIn(backup)).toBe(OLD_VERSION);
  });

  it("leaves its copy after a migration that fails, names it, and replaces it in the next attempt", async () => {
    await createOld();
    const driver = sqliteDriver(file);
    const broken = { number: OLD_VERSION + 1, name: "broken", statements: () => ["CREATE TABLE broken (", "SELECT 1"] };
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const failed = migrate(driver, [...MIGRATIONS.slice(0, OLD_VERSION), broken]);
      await expect(failed).rejects.toMatchObject({ code: "store", message: expect.stringContaining(backup) });
    }
    await driver.close();
    expect(backups()).toEqual([`memory.db.v${OLD_VERSION}.backup`]);
    expect(await versionIn(backup)).toBe(OLD_VERSION);
    expect(await versionIn(file)).toBe(OLD_VERSION);
  });
});

it("a new file is not copied", async () => {
  await open();
  expect(backups()).toEqual([]);
});

describe("the copy from before a migration", () => {
  const migratedAt = Date.UTC(2026, 0, 1);

  it("is deleted when the file is opened after more than 30 days", async () => {
    await createOld();
    await open(migratedAt);
    await open(migratedAt + 30 * DAY);
    expect(backups()).toHaveLength(1);
    await open(migratedAt + 30 * DAY + 1);
    expect(backups()).toEqual([]);
    expect(filesWith("zqvblue")).toEqual(["memory.db"]);
  });

  it("is deleted with the copies of other versions and unfinished ones when a document is deleted", async () => {
    await createOld();
    await open();
    for (const name of ["v3.backup", "v7.backup.1234.part", "v7.backup-wal"]) copyFileSync(file, `${file}.${name}`);
    copyFileSync(file, join(folder, "other.db.v7.backup"));
    const store = sqliteStore(file);
    expect(filesWith("zqvblue")).toHaveLength(6);
    await store.documents.delete("user:ann", "d");
    expect(filesWith("zqvblue")).toEqual(["other.db.v7.backup"]);
    await store.close();
  });

  it("is deleted when a memory is purged, and when a session is", async () => {
    const tl = await createThroughline({ store: sqliteStore(file) });
    const { memory } = await tl.memory.remember({ text: "The code word is zqvblue." });
    await tl.session("s").append([{ role: "user", content: "The code word is zqvgreen." }]);
    // The state that a migration leaves.
    copyFileSync(file, backup);
    copyFileSync(`${file}-wal`, `${backup}-wal`);
    await tl.memory.purge([memory.id]);
    expect(backups()).toEqual([]);
    expect(filesWith("zqvblue")).toEqual([]);
    copyFileSync(file, backup);
    expect(filesWith("zqvgreen")).toContain(`memory.db.v${OLD_VERSION}.backup`);
    await tl.purgeSession("s");
    expect(filesWith("zqvgreen")).toEqual([]);
    await tl.close();
  });

  it("makes a purge fail if it cannot be deleted, until the purge is repeated", async () => {
    await createOld();
    await open();
    const store = sqliteStore(file);
    // A folder is not deleted.
    mkdirSync(`${file}.v3.backup`);
    const purge = store.documents.delete("user:ann", "d");
    const message = expect.stringContaining(`Cannot delete copies of ${file} from before a migration`);
    await expect(purge).rejects.toMatchObject({ problem: "read-only", message });
    rmdirSync(`${file}.v3.backup`);
    await store.documents.delete("user:ann", "d");
    expect(filesWith("zqvblue")).toEqual([]);
    await store.close();
  });

  it("is deleted when the file is encrypted", async () => {
    await createOld();
    const encryptionKey = Buffer.alloc(32, 7);
    // The encryption migrates the file first.
    await encryptSqlite(file, { encryptionKey });
    expect(backups()).toEqual([]);
    expect(filesWith("zqvblue")).toEqual([]);
    const store = sqliteStore(file, { encryptionKey });
    expect((await store.documents.get("user:ann", "d"))?.value).toBe("zqvblue");
    await store.close();
  });
});
