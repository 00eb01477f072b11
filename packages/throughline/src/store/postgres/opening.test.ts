import { beforeAll, describe, expect, it } from "vitest";
import { idsOf } from "../../../test/append-next.ts";
import { longTest } from "../../../test/long-tests.ts";
import { type PostgresDatabases, query, START_TIME } from "../../../test/postgres-server.ts";
import { sharedPostgres } from "../../../test/shared-postgres.ts";
import { createStoreDatabase } from "../../../test/store-database.ts";
import type { SessionKey } from "../../ports/store.ts";
import { eventually } from "../../test/conformance.ts";
import { conversation, said, storedMemory } from "../../test/samples.ts";
import { postgresStore } from "./postgres-store.ts";

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
}, START_TIME);

const key: SessionKey = { userId: "ada", sessionId: "s" };

function tablesOf(url: string, schema: string) {
  return query(url, `SELECT tablename AS name FROM pg_tables WHERE schemaname = '${schema}' ORDER BY 1`);
}

describe("a PostgreSQL database that is opened", () => {
  it("is not connected to before the first call", async () => {
    const store = postgresStore("postgres://nobody@127.0.0.1:1/nothing");
    await store.close();
  });

  it("gets its tables once, however many servers start at the same moment", async () => {
    const url = await server.createDatabase();
    const stores = Array.from({ length: 6 }, () => postgresStore(url));
    const appended = await Promise.all(
      stores.map((store, i) => store.messages.append(ofOwner(i), 0, [said(key, "m")])),
    );
    expect(appended).toEqual(stores.map(() => true));
    const journal = await query(url, "SELECT number::int FROM throughline.throughline_migrations ORDER BY number");
    expect(journal.map(({ number }) => number)).toEqual(journal.map((_, i) => i + 1));
    await Promise.all(stores.map((store) => store.close()));
  });

  longTest(
    "is encrypted or not for all stores that create it at the same time, some with a key and some without",
    async () => {
      const encryptionKey = "0f".repeat(32);
      for (let round = 0; round < 3; round += 1) {
        const url = await server.createDatabase();
        const stores = Array.from({ length: 6 }, (_, i) => postgresStore(url, i % 2 === 0 ? { encryptionKey } : {}));
        const results = await Promise.allSettled(
          stores.map((store, i) => store.messages.append(ofOwner(i), 0, [said(key, "m")])),
        );
        const done = results.map(({ status }) => status === "fulfilled");
        expect(done).toEqual(done.map((_, i) => (i % 2 === 0) === done[0]));
        await Promise.all(stores.map((store) => store.close()));
      }
    },
  );

  it("is partitioned by owner, and a session is looked for in one partition", async () => {
    const url = await createStoreDatabase(server);
    const store = postgresStore(url);
    for (let i = 0; i < 40; i += 1) await store.messages.append(ofOwner(i), 0, [said(ofOwner(i), "m0")]);
    const partitioned = await query(
      url,
      "SELECT partrelid::regclass::text AS name, partstrat FROM pg_partitioned_table",
    );
    const names = ["compaction_events", "message_parts", "messages", "receipts", "session_states", "sessions"];
    names.push("memories", "turns", "search_entries", "contradictions", "memory_journal", "memory_spaces");
    expect(partitioned).toEqual(
      expect.arrayContaining(names.map((name) => ({ name: `throughline.${name}`, partstrat: "h" }))),
    );
    const filled = await query(url, "SELECT DISTINCT tableoid FROM throughline.messages");
    expect(filled.length).toBeGreaterThan(4);
    const plan = await query(
      url,
      "EXPLAIN SELECT * FROM throughline.messages WHERE owner = 'owner-1' AND session_id = 's'",
    );
    const scanned = JSON.stringify(plan).match(/messages_p\d/g);
    expect(new Set(scanned).size).toBe(1);
    await store.close();
  });

  it("looks at each row of a long session a few times, before anybody has counted its rows", async () => {
    const url = await createStoreDatabase(server);
    const [messages, store] = [1000, postgresStore(url)];
    await store.messages.append(key, 0, conversation(key, messages));
    await store.sessions.purge(key);
    await store.close();
    const reads = await rowsLookedAt(url, messages);
    expect(reads).toBeLessThan(20 * messages);
  });

  it("reads few rows of a large space to find related memories, even without statistics", async () => {
    const url = await createStoreDatabase(server);
    const [memories, store] = [2000, postgresStore(url)];
    const written = Array.from({ length: memories }, (_, i) => storedMemory(`m${i}`, {}, { slot: `slot ${i % 500}` }));
    await store.memories.commit("user:ada", { revision: 0, memories: written });
    for (let i = 0; i < 50; i += 1) {
      const related = await store.memories.list("user:ada", "memories", {
        current: true,
        matchAny: { slots: [`slot ${i}`, "none"], fingerprints: [`words of m${i + 1}`] },
      });
      expect(related).toHaveLength(5);
    }
    await store.close();
    expect(await rowsLookedAt(url, 250)).toBeLessThan(memories);
  });

  it("may hold tables of others, of the same names", async () => {
    const url = await server.createDatabase();
    await query(url, "CREATE TABLE sessions (mine int); INSERT INTO sessions VALUES (7); CREATE TABLE writers (x int)");
    const store = postgresStore(url);
    await store.messages.append(key, 0, [said(key, "m0")]);
    await store.sessions.purge(key);
    expect(await query(url, "SELECT mine FROM sessions")).toEqual([{ mine: 7 }]);
    await store.close();
  });

  longTest("keeps stores of different schemas apart", async () => {
    const url = await server.createDatabase();
    const [a, b] = [postgresStore(url, { schema: 'a "quoted" name' }), postgresStore(url, { schema: "b" })];
    await a.messages.append(key, 0, [said(key, "of-a")]);
    expect(await idsOf(b, key)).toEqual([]);
    expect(await idsOf(a, key)).toEqual(["of-a"]);
    await Promise.all([a.close(), b.close()]);
  });

  it("is refused and left unchanged if the schema belongs to another program", async () => {
    const url = await server.createDatabase();
    await query(url, "CREATE SCHEMA shop; CREATE TABLE shop.orders (id int)");
    const store = postgresStore(url, { schema: "shop" });
    await expect(store.sessions.head(key)).rejects.toMatchObject({ problem: "not-ours" });
    expect(await tablesOf(url, "shop")).toEqual([{ name: "orders" }]);
    await store.close();
  });

  it("is refused and left unchanged if its version is newer", async () => {
    const url = await server.createDatabase();
    const first = postgresStore(url);
    await first.sessions.head(key);
    await first.close();
    await query(url, "INSERT INTO throughline.throughline_migrations VALUES (999, 'from the future', 0)");
    const before = await tablesOf(url, "throughline");
    const store = postgresStore(url);
    await expect(store.messages.append(key, 0, [said(key, "m0")])).rejects.toMatchObject({ problem: "newer-version" });
    expect(await tablesOf(url, "throughline")).toEqual(before);
    expect(await query(url, "SELECT count(*)::int AS n FROM throughline.sessions")).toEqual([{ n: 0 }]);
    await store.close();
  });

  it("serves a user who can write rows but not create tables", async () => {
    const url = await server.createDatabase();
    const owner = postgresStore(url);
    await owner.sessions.head(key);
    await owner.close();
    await query(
      url,
      `CREATE ROLE app LOGIN PASSWORD 'word'; GRANT USAGE ON SCHEMA throughline TO app;
       GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA throughline TO app`,
    );
    const limited = new URL(url);
    limited.username = "app";
    limited.password = "word";
    const store = postgresStore(limited.href);
    expect(await store.messages.append(key, 0, [said(key, "m0")])).toBe(true);
    expect(await idsOf(store, key)).toEqual(["m0"]);
    await store.close();
  });

  it("forgets writers that ended long ago without a word, and those of a store that is closed", async () => {
    const url = await server.createDatabase();
    const first = postgresStore(url);
    await first.messages.append(key, 0, [said(key, "m0")]);
    await query(url, "INSERT INTO throughline.writers VALUES ('killed', 3, now() - interval '2 days')");
    const second = postgresStore(url);
    await second.messages.append(key, 1, [said(key, "m1")]);
    const writers = "SELECT count(*)::int AS n FROM throughline.writers";
    expect(await query(url, writers)).toEqual([{ n: 2 }]);
    await Promise.all([first.close(), second.close()]);
    expect(await query(url, writers)).toEqual([{ n: 0 }]);
  });
});

/** Number of rows read through indexes, once the statistics report at least the given number. */
async function rowsLookedAt(url: string, atLeast: number): Promise<number> {
  const counts = "SELECT sum(idx_tup_read)::int AS reads FROM pg_stat_user_indexes WHERE schemaname = 'throughline'";
  // A server process reports its statistics when it ends.
  let reads = 0;
  await eventually(async () => {
    reads = Number((await query(url, counts))[0]?.reads);
    return reads >= atLeast;
  }, "the statistics of the ended process arrived");
  return reads;
}

function ofOwner(i: number): SessionKey {
  return { userId: `owner-${i}`, sessionId: "s" };
}
