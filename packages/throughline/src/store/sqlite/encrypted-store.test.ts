import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { isLong } from "../../../test/long-tests.ts";
import { serverChecks, storeChecks } from "../../test/store-checks.ts";
import { sqliteStore } from "./sqlite-store.ts";

const encryptionKey = "0f".repeat(32);

let folder: string;
let files = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-encrypted-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("an encrypted store in a file", () => {
  // Erasing rewrites the whole file, so each check has its own; in PostgreSQL they share a database.
  const open = async () => sqliteStore(join(folder, `${files++}.db`), { encryptionKey });
  const checks = [...storeChecks(open), ...serverChecks(open)];
  // `npm test` runs them all on plain databases.
  for (const { name, run } of isLong ? checks : checks.filter((_, at) => at % 4 === 0)) it(name, run);
});
