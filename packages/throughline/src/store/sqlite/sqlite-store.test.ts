import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { storeChecks } from "../../test/store-checks.ts";
import { sqliteStore } from "./sqlite-store.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-sqlite-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a store in memory", () => {
  for (const { name, run } of storeChecks(async () => sqliteStore(":memory:"))) it(name, run);
});

describe("a store in a file", () => {
  for (const { name, run } of storeChecks(async () => sqliteStore(join(folder, "shared.db")))) it(name, run);
});
