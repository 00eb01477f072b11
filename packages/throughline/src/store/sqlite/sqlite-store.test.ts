import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { isLong } from "../../../test/long-tests.ts";
import { storeChecks } from "../../test/store-checks.ts";
import { sqliteStore } from "./sqlite-store.ts";

let folder: string;
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-sqlite-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("a store in memory", () => {
  for (const { name, run } of storeChecks(async () => sqliteStore(":memory:"))) it(name, run);
});

describe.runIf(isLong)("a store in a file", () => {
  // `npm test` does the same with an encrypted file. Erasing rewrites the whole file, so each check has its own; in
  // PostgreSQL they share a database.
  for (const { name, run } of storeChecks(async () => sqliteStore(join(folder, `${files++}.db`)))) it(name, run);
});
