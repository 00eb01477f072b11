import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, it } from "vitest";
import { serverChecks } from "../../test/server-checks.ts";
import { storeChecks } from "../../test/store-checks.ts";
import { sqliteStore } from "./sqlite-store.ts";

const encryptionKey = "0f".repeat(32);

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "throughline-encrypted-"));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("an encrypted store in a file", () => {
  const open = async () => sqliteStore(join(folder, "shared.db"), { encryptionKey });
  for (const { name, run } of [...storeChecks(open), ...serverChecks(open)]) it(name, run);
});
