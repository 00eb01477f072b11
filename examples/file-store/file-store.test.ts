import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { storeChecks } from "throughline/test";
import { fileStore } from "./file-store.ts";

describe("the file store", () => {
  const open = async () => fileStore(join(tmpdir(), `${randomUUID()}.db`));
  for (const { name, run } of storeChecks(open)) it(name, run);
});
