import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { SqlDriver } from "../sql/sql-driver.ts";
import { sqliteDriver } from "./sqlite-store.ts";

const folders: string[] = [];

async function openTable(): Promise<{ readonly driver: SqlDriver; readonly file: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), "throughline-test-"));
  folders.push(folder);
  const file = path.join(folder, "writes.db");
  const driver = sqliteDriver(file);
  await driver.write((tx) => tx.run("CREATE TABLE numbers (n INTEGER PRIMARY KEY)"));
  return { driver, file };
}

afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

/** Inserts a number, and notes when it ran. */
const insert = (driver: SqlDriver, n: number, order: number[] = []) =>
  driver.write(async (tx) => {
    await tx.run("INSERT INTO numbers VALUES (?)", [n]);
    order.push(n);
    return n;
  }, true);

const stored = async (driver: SqlDriver) =>
  (await driver.read((tx) => tx.all("SELECT n FROM numbers ORDER BY n"))).map(({ n }) => n);

describe("brief writes at the same time", () => {
  it("are all stored, in the order of the calls", async () => {
    const { driver, file } = await openTable();
    const order: number[] = [];
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    expect(await Promise.all(numbers.map((n) => insert(driver, n, order)))).toEqual(numbers);
    expect(order).toEqual(numbers);
    const other = sqliteDriver(file);
    expect(await stored(other)).toEqual(numbers);
    await Promise.all([driver.close(), other.close()]);
  });

  it("fail one by one", async () => {
    const { driver } = await openTable();
    await insert(driver, 3);
    const outcomes = await Promise.allSettled([1, 2, 3, 4, 3, 5].map((n) => insert(driver, n)));
    expect(outcomes.map(({ status }) => status === "fulfilled")).toEqual([true, true, false, true, false, true]);
    expect(await stored(driver)).toEqual([1, 2, 3, 4, 5]);
    await driver.close();
  });

  it("are not lost if the first one fails", async () => {
    const { driver } = await openTable();
    const failed = driver.write(() => Promise.reject(new Error("no")), true);
    const others = [1, 2].map((n) => insert(driver, n));
    await expect(failed).rejects.toThrow("no");
    expect(await Promise.all(others)).toEqual([1, 2]);
    expect(await stored(driver)).toEqual([1, 2]);
    await driver.close();
  });

  it("are confirmed only when another connection can read them", async () => {
    const { driver, file } = await openTable();
    const other = sqliteDriver(file);
    const seen = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        await insert(driver, n);
        return (await stored(other)).includes(n);
      }),
    );
    expect(seen.every(Boolean)).toBe(true);
    await Promise.all([driver.close(), other.close()]);
  });
});
