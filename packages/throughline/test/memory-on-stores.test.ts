import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SYSTEM_CLOCK } from "../src/ports/clock.ts";
import type { Store } from "../src/ports/store.ts";
import { inProcessStore } from "../src/store/in-process.ts";
import { postgresStore } from "../src/store/postgres/postgres.ts";
import { sqliteStore } from "../src/store/sqlite/sqlite.ts";
import { liveMemories } from "./live-memories.ts";
import { liveSegments } from "./live-segments.ts";
import { isLong } from "./long-tests.ts";
import { type PostgresDatabases, query, START_TIME } from "./postgres-server.ts";
import { sharedPostgres } from "./shared-postgres.ts";
import { createStoreDatabase } from "./store-database.ts";

let postgres: PostgresDatabases;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "throughline-stores-"));
  postgres = await sharedPostgres();
}, START_TIME);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("memories live the same", () => {
  it("in the process, in a SQLite database and in PostgreSQL", async () => {
    const inProcess = await liveMemories(inProcessStore(SYSTEM_CLOCK));
    expect(inProcess.slice(0, 3)).toEqual(["added", "replaced", "merged"]);
    const [, , , database, kubernetes, review, jazz] = inProcess;
    expect(JSON.stringify(database)).toMatch(/PostgreSQL/);
    expect(JSON.stringify(kubernetes)).toMatch(/Kubernetes/);
    expect(jazz).toEqual([]);
    expect(JSON.stringify(review)).toMatch(/Thursday/);
    expect(JSON.stringify(review)).not.toMatch(/Tuesday/);
    expect(await liveMemories(sqliteStore(":memory:"))).toEqual(inProcess);
    expect(await liveMemories(postgresStore(await createStoreDatabase(postgres)))).toEqual(inProcess);
  });
});

describe("search segments", () => {
  const encryptionKey = "0f".repeat(32);
  let url: string;
  let expected: readonly unknown[];

  beforeAll(async () => {
    url = await postgres.createDatabase();
    const inProcess = inProcessStore(SYSTEM_CLOCK);
    expected = await liveSegments(() => ({ ...inProcess, close: async () => undefined }));
  }, START_TIME);

  it("are read instead of the entries, and keep nothing that is purged", () => {
    const [hits, segments, again, entriesRead] = expected;
    expect(segments).toHaveLength(1);
    expect([again, entriesRead]).toEqual([hits, 0]);
    const [none, , made, hasPurged, hasOthers] = expected.slice(6);
    expect([none, hasPurged, hasOthers]).toEqual([[], false, true]);
    expect(made).toHaveLength(1);
  });

  // Segments are encrypted above the databases: `npm test` has one plain and one encrypted store.
  it.each<[string, () => Store]>([
    ...(isLong ? [["SQLite", () => sqliteStore(join(folder, "segments.db"))] as [string, () => Store]] : []),
    ["encrypted SQLite", () => sqliteStore(join(folder, "sealed.db"), { encryptionKey })],
  ])("give the same hits in %s as in the process", async (_name, open) => {
    expect(await liveSegments(open)).toEqual(expected);
  });

  it.each<[string, { readonly schema: string; readonly encryptionKey?: string }]>([
    ["PostgreSQL", { schema: "plain" }],
    ...(isLong
      ? [
          ["encrypted PostgreSQL", { schema: "sealed", encryptionKey }] as [
            string,
            { schema: string; encryptionKey: string },
          ],
        ]
      : []),
  ])("give the same hits in %s, and no table has what is purged", async (_name, options) => {
    expect(await liveSegments(() => postgresStore(url, options))).toEqual(expected);
    const blobs = await query(url, `SELECT name, bytes FROM ${options.schema}.blobs`);
    expect(blobs.length).toBeGreaterThan(0);
    const isPlain = !("encryptionKey" in options);
    expect(blobs.some(({ bytes }) => (bytes as Buffer).includes("kept id"))).toBe(isPlain);
    expect(JSON.stringify(await allValues(url, options.schema))).not.toMatch(/Xanadu|purged id/);
  });
});

/** Everything in every column of every table, as text. */
async function allValues(url: string, schema: string): Promise<string[]> {
  const tables = await query(
    url,
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = '${schema}'`,
  );
  const rows: Record<string, unknown>[] = [];
  // One after the other: each query opens a connection, and partitions make many tables.
  for (const { name } of tables) rows.push(...(await query(url, `SELECT * FROM ${schema}."${name}"`)));
  return rows.flatMap((row) =>
    Object.values(row).map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value),
    ),
  );
}
