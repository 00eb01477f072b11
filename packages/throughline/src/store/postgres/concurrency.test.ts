import { beforeAll, describe, expect, it } from "vitest";
import { appendNext, idsOf } from "../../../test/append-next.ts";
import { commitAtOnce } from "../../../test/commit-at-once.ts";
import { isLong, longTest } from "../../../test/long-tests.ts";
import { type PostgresDatabases, query, START_TIME } from "../../../test/postgres-server.ts";
import { sharedPostgres } from "../../../test/shared-postgres.ts";
import { createStoreDatabase } from "../../../test/store-database.ts";
import type { SessionKey, Store } from "../../ports/store.ts";
import {
  change,
  compaction,
  contradiction,
  entry,
  journalEntry,
  receipt,
  said,
  storedMemory,
} from "../../test/samples.ts";
import { postgresStore } from "./postgres-store.ts";

let server: PostgresDatabases;
beforeAll(async () => {
  server = await sharedPostgres();
}, START_TIME);

type Stores = readonly [Store, Store, Store, Store];

/** Runs work with four stores, as on four servers. */
async function withStores(work: (stores: Stores, url: string) => Promise<void>): Promise<void> {
  const url = await createStoreDatabase(server);
  const open = () => postgresStore(url, { maxConnections: 3 });
  const stores: Stores = [open(), open(), open(), open()];
  await work(stores, url);
  await Promise.all(stores.map((store) => store.close()));
}

const key: SessionKey = { userId: "ada", sessionId: "shared" };
/** Appends of each of eight writers. */
const APPENDS = isLong ? 15 : 6;

describe("several servers on one PostgreSQL database", () => {
  it("lose no append to one session, and keep each writer's order", () =>
    withStores(async (stores) => {
      const writers = stores.flatMap((store, i) => [`a${i}`, `b${i}`].map((name) => ({ store, name })));
      await Promise.all(
        writers.map(async ({ store, name }) => {
          for (let i = 0; i < APPENDS; i += 1) await appendNext(store, key, said(key, `${name}-${i}`));
        }),
      );
      const ids = await idsOf(stores[0], key);
      expect(ids).toHaveLength(writers.length * APPENDS);
      for (const { name } of writers) {
        const own = ids.filter((id) => id.startsWith(`${name}-`));
        expect(own).toEqual(Array.from({ length: APPENDS }, (_, i) => `${name}-${i}`));
      }
    }));

  it("take one of many commits on the same revision", () =>
    withStores(async (stores) => {
      for (let revision = 0; revision < 10; revision += 1) {
        const commits = stores.map((store, i) =>
          store.sessions.commit(key, {
            revision,
            state: { from: i },
            compactions: [compaction(`c${revision}-${i}`, revision)],
            receipts: [receipt(`r${revision}-${i}`)],
          }),
        );
        expect((await Promise.all(commits)).filter(Boolean)).toHaveLength(1);
      }
      expect(await stores[0].sessions.head(key)).toMatchObject({ revision: 10, compactions: 10, receipts: 10 });
    }));

  longTest("accept one commit per revision of a space, and lose nothing of retried ones", () =>
    withStores((stores) => commitAtOnce([...stores, ...stores].map(({ memories }) => memories))),
  );

  it("bring nothing back that is erased while others write it", () =>
    withStores(async ([a, b], url) => {
      const space = "user:ada";
      const rewrite = async (round: number) => {
        for (let i = 0; i < 5; i += 1) {
          const { revision } = await a.memories.head(space);
          const [known = storedMemory("m").memory] = await a.memories.get(space, "memories", ["m"]);
          const id = `${round}-${i}`;
          await a.memories.commit(space, {
            revision,
            memories: [{ memory: { ...known, links: ["x"] }, fingerprint: "f" }],
            entries: [entry("m", "words")],
            contradictions: [contradiction(id, "m", "n")],
            journal: [journalEntry(id, [change("m", known)])],
          });
        }
      };
      const erasure = { memories: ["m"], turns: [] };
      for (let round = 0; round < 10; round += 1) {
        await Promise.all([rewrite(round), b.memories.erase(space, erasure)]);
        const [listed, entries] = await Promise.all([
          a.memories.list(space, "memories"),
          a.memories.list(space, "entries", { limit: 9 }),
        ]);
        expect(entries).toHaveLength(listed.length);
      }
      await b.memories.erase(space, erasure);
      for (const table of ["memories", "search_entries", "contradictions", "memory_journal", "journal_changes"]) {
        expect(await query(url, `SELECT count(*)::int AS rows FROM throughline.${table}`)).toEqual([{ rows: 0 }]);
      }
    }));

  longTest("count every use of the same memories", () =>
    withStores(async (stores) => {
      const ids = Array.from({ length: 20 }, (_, i) => `m${i}`);
      await stores[0].memories.commit("user:ada", { revision: 0, memories: ids.map((id) => storedMemory(id)) });
      const orders = stores.flatMap((store) => [ids, ids.toReversed()].map((order) => ({ store, order })));
      await Promise.all(
        orders.map(async ({ store, order }) => {
          for (let i = 0; i < 5; i += 1)
            await store.memories.record("user:ada", { uses: { ids: order, use: "cited", at: i } });
        }),
      );
      const counts = (await stores[0].memories.list("user:ada", "memories")).map(({ usage }) => usage.cited);
      expect(counts).toEqual(ids.map(() => 40));
    }),
  );

  longTest("give a lease on work to one of many", () =>
    withStores(async (stores) => {
      for (let i = 0; i < 20; i += 1) {
        const results = await Promise.all(
          stores.map(({ memories }, j) => memories.lease("user:ada", `work ${i}`, `h${j}`, 60_000)),
        );
        expect(results.filter(Boolean)).toHaveLength(1);
      }
    }),
  );

  longTest("each do their part of a session's beginning", () =>
    withStores(async ([a, b, c]) => {
      for (let i = 0; i < 30; i += 1) {
        const fresh = { userId: "ada", sessionId: `fresh-${i}` };
        const results = await Promise.all([
          a.messages.append(fresh, 0, [said(fresh, "m0")]),
          b.sessions.commit(fresh, { revision: 0, state: 1 }),
          c.sessions.lease(fresh, "holder", 60_000),
        ]);
        expect(results).toEqual([true, true, true]);
        expect(await a.sessions.head(fresh)).toMatchObject({ appended: 1, revision: 1, isCompacting: true });
      }
    }),
  );

  it("give a lease to one of many", () =>
    withStores(async (stores) => {
      for (let i = 0; i < 20; i += 1) {
        const leased = { userId: "ada", sessionId: `leased-${i}` };
        const results = await Promise.all(stores.map((store, j) => store.sessions.lease(leased, `h${j}`, 60_000)));
        expect(results.filter(Boolean)).toHaveLength(1);
      }
    }));

  longTest("leave nothing behind of a session that is purged while others append to it", () =>
    withStores(async ([a, b], url) => {
      const appendSome = async (round: number) => {
        for (let i = 0; i < 5; i += 1) await appendNext(a, key, said(key, `m${round}-${i}`));
      };
      for (let round = 0; round < 10; round += 1) await Promise.all([appendSome(round), b.sessions.purge(key)]);
      await a.sessions.purge(key);
      for (const table of ["sessions", "messages", "message_parts"]) {
        expect(await query(url, `SELECT count(*)::int AS rows FROM throughline.${table}`)).toEqual([{ rows: 0 }]);
      }
    }),
  );
});
