import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SOAK } from "../cases.ts";
import { type PostgresDatabases, START_TIME } from "../postgres-server.ts";
import { sharedPostgres } from "../shared-postgres.ts";
import { createStoreDatabase } from "../store-database.ts";
import { type DocumentWord, documentOf } from "./document-task.ts";
import { openStore } from "./open-store.ts";
import { runProgram } from "./run-worker.ts";

/** `npm run soak` kills 200 times for each store. */
const KILLS = SOAK > 1 ? 200 : 2;
/** Number of processes that run at once and are killed. */
const VICTIMS = SOAK > 1 ? 4 : 2;

let folder: string;
let server: PostgresDatabases;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "throughline-documents-"));
  server = await sharedPostgres();
}, START_TIME);

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const stores: [string, () => Promise<string>][] = [
  ["SQLite", async () => join(folder, "t.db")],
  ["PostgreSQL", () => createStoreDatabase(server)],
];

describe.each(stores.slice(0, SOAK > 1 ? undefined : 1))("a document in %s", (_name, create) => {
  it(`is either old or new if its writer is killed, ${KILLS} times`, async () => {
    const store = await create();
    let acknowledged = 0;
    for (let round = 0; round < KILLS / VICTIMS; round += 1) {
      const kill = () => ({ afterWords: 2 + Math.floor(Math.random() * 3), later: Math.random() * 40 });
      const runs = await Promise.all(
        Array.from({ length: VICTIMS }, () => runProgram<DocumentWord>("document-worker.ts", { store }, kill())),
      );
      expect(runs.map(({ errors }) => errors).join("")).toBe("");
      const told = runs.flatMap(({ words }) => words.map(({ revision }) => revision)).filter((one) => one > 0);
      // No two of them wrote on the same revision.
      expect(new Set(told).size).toBe(told.length);
      acknowledged = Math.max(acknowledged, ...told);
      const found = await readDocument(store);
      expect(found?.revision).toBeGreaterThanOrEqual(acknowledged);
      expect(found?.value).toEqual(documentOf(found?.revision ?? 0));
    }
    expect(acknowledged).toBeGreaterThan(KILLS / VICTIMS);
  }, 3_600_000);
});

/** Content as the next process reads it. */
async function readDocument(where: string) {
  const store = openStore(where);
  const found = await store.documents.get("user:ada", "habits");
  await store.close();
  return found;
}
