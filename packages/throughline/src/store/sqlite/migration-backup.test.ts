import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { migrate, versionOf } from "../sql/migrate.ts";
import { LATEST_VERSION, MIGRATIONS } from "../sql/migrations/migrations.ts";
import { sqliteDriver } from "./sqlite-driver.ts";
import { sqliteStore } from "./sqlite-store.ts";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-migration-"));
  file = join(folder, "memory.db");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const backups = () => readdirSync(folder).filter((name) => name.endsWith(".backup"));

async function versionIn(path: string): Promise<number> {
  const driver = sqliteDriver(path);
  const version = await driver.read((tx) => versionOf(tx, "sqlite"));
  await driver.close();
  return version;
}

async function createOld(): Promise<void> {
  const driver = sqliteDriver(file);
  await migrate(driver, MIGRATIONS.slice(0, -1));
  await driver.close();
}

it("a file of an older version is migrated when it is opened, and its copy is removed", async () => {
  await createOld();
  const store = sqliteStore(file);
  await store.messages.append({ userId: "ada", sessionId: "s" }, 0, []);
  await store.close();
  expect(await versionIn(file)).toBe(LATEST_VERSION);
  expect(backups()).toEqual([]);
});

it("a migration that fails leaves a copy of the older version and names it", async () => {
  await createOld();
  const driver = sqliteDriver(file);
  const broken = { number: LATEST_VERSION, name: "broken", statements: () => ["CREATE TABLE broken (", "SELECT 1"] };
  const failed = migrate(driver, [...MIGRATIONS.slice(0, -1), broken]);
  await expect(failed).rejects.toMatchObject({ code: "store", message: expect.stringContaining(`${file}.v`) });
  await driver.close();
  const [backup = ""] = backups();
  expect(await versionIn(join(folder, backup))).toBe(LATEST_VERSION - 1);
  expect(await versionIn(file)).toBe(LATEST_VERSION - 1);
});

it("a new file is not copied", async () => {
  const store = sqliteStore(file);
  await store.messages.append({ userId: "ada", sessionId: "s" }, 0, []);
  await store.close();
  expect(backups()).toEqual([]);
});
