import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createThroughline, type Store } from "throughline";
import { postgresStore } from "throughline/postgres";
import { sqliteStore } from "throughline/sqlite";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { typeScriptFlags } from "../../../../tools/run/typescript-flags.mjs";
import { builtFile } from "../built.ts";
import { SOAK } from "../cases.ts";
import type { PostgresDatabases } from "../postgres-server.ts";
import { sharedPostgres } from "../shared-postgres.ts";
import { createStoreDatabase } from "../store-database.ts";
import type { MemoryTask, MemoryWord } from "./memory-task.ts";

const WORKERS = SOAK > 1 ? 8 : 4;
const FACTS = 10 * Math.min(SOAK, 30);
const MOVES = FACTS / 5;
const SPACE = "user:ada";
const WORKER = fileURLToPath(new URL("memory-worker.ts", import.meta.url));

let folder: string;
let server: PostgresDatabases;

beforeAll(async () => {
  builtFile("sqlite.js");
  folder = mkdtempSync(join(tmpdir(), "throughline-memories-"));
  server = await sharedPostgres();
});

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const stores: [string, () => Promise<string>, (where: string) => Store][] = [
  ["SQLite", async () => join(folder, "memories.db"), (path) => sqliteStore(path)],
  ["PostgreSQL", () => createStoreDatabase(server), (url) => postgresStore(url)],
];

describe.each(stores.slice(0, SOAK > 1 ? undefined : 1))(
  `%s, with ${WORKERS} processes that remember at once`,
  (_name, create, open) => {
    let store: Store;
    let told: readonly MemoryWord[];

    beforeAll(async () => {
      const where = await create();
      const names = Array.from({ length: WORKERS }, (_, n) => `w${n}`);
      told = (
        await Promise.all(names.map((name) => run({ name, store: where, facts: FACTS, moveEach: FACTS / MOVES })))
      ).flat();
      store = open(where);
    }, 3_600_000);

    afterAll(() => store.close());

    it("has each fact once, with every mention, and has lost nothing", async () => {
      const stored = await store.memories.list(SPACE, "memories");
      const liked = stored.filter(({ levels }) => levels.full.startsWith("User likes"));
      const counted = new Map(liked.map(({ levels, mentions }) => [levels.full, mentions]));
      expect(counted.size).toBe(liked.length);
      const said = told.filter(({ text }) => text.startsWith("User likes"));
      expect(counted).toEqual(
        new Map([...Map.groupBy(said, ({ text }) => text)].map(([text, all]) => [text, all.length])),
      );
      expect(counted.size).toBe((WORKERS + 1) * FACTS);
      for (const [text, all] of Map.groupBy(said, (word) => word.text)) {
        expect([text, all.filter(({ outcome }) => outcome === "added").length]).toEqual([text, 1]);
        expect(new Set(all.map(({ id }) => id)).size).toBe(1);
      }
    });

    it("has one place of residence at a time, and all of them one after the other", async () => {
      const lived = (await store.memories.list(SPACE, "memories")).filter(({ key }) => key === "residence");
      expect(lived).toHaveLength(WORKERS * MOVES);
      expect(lived.filter(({ validTo }) => validTo === undefined)).toHaveLength(1);
      const spans = lived
        .map(({ validFrom, validTo = Number.POSITIVE_INFINITY }) => [validFrom, validTo] as const)
        .filter(([from, to]) => from < to)
        .sort(([a], [b]) => a - b);
      for (const [at, [, to]] of spans.entries()) expect(to).toBeLessThanOrEqual(spans[at + 1]?.[0] ?? to);
    });

    it("has counted every write, journalled every change, and has a search entry for everything", async () => {
      const { revision } = await store.memories.head(SPACE);
      expect(revision).toBe(WORKERS * (2 * FACTS + 2 * MOVES));
      expect(await store.memories.list(SPACE, "journal", { limit: 100_000 })).toHaveLength(
        WORKERS * (2 * FACTS + MOVES),
      );
      const memories = await store.memories.list(SPACE, "memories");
      const turns = await store.memories.list(SPACE, "turns", { sessionId: "shared" });
      const entries = await store.memories.list(SPACE, "entries", { limit: 100_000 });
      expect(new Set(entries.map(({ id }) => id))).toEqual(new Set([...memories, ...turns].map(({ id }) => id)));
      expect(turns.map(({ position }) => position)).toEqual(Array.from({ length: WORKERS * MOVES }, (_, n) => n));
    });

    it("keeps everything for the next process", async () => {
      const { memory } = await createThroughline({ store, userId: "ada" });
      const [hit] = await memory.recall("w3-thing-7", { from: "memories", cut: "none", limit: 1 });
      expect(hit?.text).toBe("User likes w3-thing-7");
      expect(await memory.remember({ text: "User likes colour-0" })).toMatchObject({
        outcome: "merged",
        memory: { mentions: WORKERS + 1 },
      });
    });
  },
);

async function run(task: MemoryTask): Promise<readonly MemoryWord[]> {
  const program = [...typeScriptFlags, WORKER, JSON.stringify(task)];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, program, { maxBuffer: 64_000_000 });
  expect(stderr).toBe("");
  return JSON.parse(stdout) as MemoryWord[];
}
