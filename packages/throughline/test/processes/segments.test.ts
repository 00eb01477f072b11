import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createThroughline } from "../../src/throughline.ts";
import { SOAK } from "../cases.ts";
import type { PostgresDatabases } from "../postgres-server.ts";
import { sharedPostgres } from "../shared-postgres.ts";
import { createStoreDatabase } from "../store-database.ts";
import { openStore } from "./open-store.ts";
import { runProgram } from "./run-worker.ts";

const ROUNDS = SOAK > 1 ? 12 : 2;
const SPACE = "user:ada";

let folder: string;
let server: PostgresDatabases;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "throughline-segments-"));
  server = await sharedPostgres();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stores: [string, () => Promise<string>][] = [
  ["PostgreSQL", () => createStoreDatabase(server)],
  ["SQLite", async () => join(folder, "segments.db")],
];

/** Hits of a new process. */
async function ask(where: string): Promise<unknown> {
  const { memory, close } = await createThroughline({ store: openStore(where), userId: "ada" });
  const questions = ["harbour 5", "parcel 700", "Where did parcel 1200 go?"];
  const hits = await Promise.all(
    questions.map(async (question) =>
      (await memory.recall(question, { cut: "none" })).map(({ id, text }) => [id, text]),
    ),
  );
  await close();
  return hits;
}

describe.each(stores.slice(0, SOAK > 1 ? undefined : 1))("search segments in %s", (_name, create) => {
  it("of a process that is killed at any moment give the same hits as the stored entries", async () => {
    const where = await create();
    let from = 0;
    let withSegments = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const kill = { afterWords: 2 + (round % 3), later: Math.random() * 60 };
      const { words, errors } = await runProgram<{ stored: number }>("segment-worker.ts", { store: where, from }, kill);
      expect(errors).toBe("");
      // The killed process may have stored one step more than it reported.
      from = (words.at(-1)?.stored ?? from) + 10_000;
      const bySegments = await ask(where);
      const store = openStore(where);
      withSegments += (await store.blobs.list(SPACE)).length;
      await store.blobs.delete(SPACE, { prefix: "" });
      await store.close();
      expect(await ask(where)).toEqual(bySegments);
    }
    expect(withSegments).toBeGreaterThan(0);
  });
});
