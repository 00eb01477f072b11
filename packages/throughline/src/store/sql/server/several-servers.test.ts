import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cases, SOAK } from "../../../../test/cases.ts";
import { clockedDriver } from "../../../../test/clocked-driver.ts";
import { type PostgresDatabases, START_TIME } from "../../../../test/postgres-server.ts";
import { openStore } from "../../../../test/processes/open-store.ts";
import { sharedPostgres } from "../../../../test/shared-postgres.ts";
import { createStoreDatabase } from "../../../../test/store-database.ts";
import type { ServerStore, StoredJob } from "../../../ports/server-store.ts";
import { createSqlStore, type SqlStore } from "../sql-store.ts";

const LONG = 600_000;
/** Events per writer; one read returns all of them. */
const EVENTS = SOAK > 1 ? 30 : 8;

let folder: string;
let server: PostgresDatabases;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "throughline-servers-"));
  server = await sharedPostgres();
}, START_TIME);
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
});

const databases: [string, () => Promise<string>][] = [
  ["SQLite", async () => join(mkdtempSync(join(folder, "db-")), "t.db")],
  ["PostgreSQL", () => createStoreDatabase(server)],
];

type Stores = readonly [ServerStore, ServerStore, ServerStore, ServerStore];

describe.each(databases.slice(SOAK > 1 ? 0 : 1))("four servers on one database of %s", (_name, create) => {
  async function withServers(work: (stores: Stores, where: string) => Promise<void>): Promise<void> {
    const where = await create();
    const open = () => openStore(where);
    const stores = [open(), open(), open(), open()] as const;
    const [a, b, c, d] = stores;
    await work([a.server, b.server, c.server, d.server], where);
    await Promise.all(stores.map((store: SqlStore) => store.close()));
  }

  it("take each job once", () =>
    withServers(async (stores) => {
      const keys = Array.from({ length: cases(30) }, (_, n) => `${n}`);
      await Promise.all(keys.map((key) => stores[0].jobs.add({ kind: "k", owner: "ann", key })));
      const takers = [...stores, ...stores, ...stores];
      const taken = (await Promise.all(takers.map(({ jobs }, n) => takeAll(jobs, `h${n}`)))).flat();
      expect(taken.map(({ key }) => key).sort()).toEqual(keys.sort());
      expect(taken.every(({ attempts }) => attempts === 1)).toBe(true);
    }));

  it("take over an abandoned job once", () =>
    withServers(async (stores) => {
      for (let round = 0; round < cases(3); round += 1) {
        await stores[0].jobs.add({ kind: "k", owner: "ann", key: `${round}` });
        const gone = await stores[0].jobs.lease("gone", 0);
        const taken = await Promise.all([...stores, ...stores].map(({ jobs }, n) => jobs.lease(`h${n}`, LONG)));
        const [next, ...others] = taken.filter((job) => job !== undefined);
        expect([next?.id, next?.attempts, others]).toEqual([gone?.id, 2, []]);
        // A returning holder meets the current one.
        const [isLate, isDone] = await Promise.all([
          stores[0].jobs.finish(gone?.id ?? "", "gone"),
          stores[1].jobs.finish(next?.id ?? "", next?.holder ?? ""),
        ]);
        expect([isLate, isDone]).toEqual([false, true]);
      }
    }));

  it("add and revive one job of a key", () =>
    withServers(async (stores) => {
      const { jobs } = stores[0];
      for (let round = 0; round < cases(3); round += 1) {
        const job = { kind: "k", owner: "ann", key: `${round}` };
        const dead: string[] = [];
        for (const _ of [1, 2, 3]) {
          dead.push((await jobs.add(job))?.id ?? "");
          await jobs.lease("h", LONG);
          await jobs.finish(dead.at(-1) ?? "", "h", { error: "broken" });
        }
        const revived = dead.map((id, n) => stores[n]?.jobs.revive(id));
        const added = stores.map(({ jobs: queue }) => queue.add(job).then((one) => one !== undefined));
        expect((await Promise.all([...revived, ...added])).filter(Boolean)).toHaveLength(1);
        const taken = await jobs.lease("h", LONG);
        expect(await jobs.lease("h", LONG)).toBeUndefined();
        expect(await jobs.finish(taken?.id ?? "", "h")).toBe(true);
      }
    }));

  it("deliver every event to each follower, in one order for all", () =>
    withServers(async (stores) => {
      let isOver = false;
      const follow = async ({ events }: ServerStore) => {
        const seen: number[] = [];
        for (;;) {
          const wasOver = isOver;
          const next = await events.read({ owner: "ann", after: seen.at(-1) ?? 0, limit: 5 });
          seen.push(...next.map(({ sequence }) => sequence));
          if (wasOver && next.length === 0) return seen;
          // SQLite answers synchronously, so a waiting writer would starve.
          await setImmediate();
        }
      };
      const following = Promise.all(stores.slice(0, 2).map(follow));
      await Promise.all(
        [...stores, ...stores].map(async ({ events }, writer) => {
          for (let n = 0; n < EVENTS; n += 1) await events.append([{ owner: "ann", type: "t", data: { writer, n } }]);
        }),
      );
      isOver = true;
      const all = await stores[3].events.read({ owner: "ann", after: 0 });
      expect(all).toHaveLength(8 * EVENTS);
      for (const seen of await following) expect(seen).toEqual(all.map(({ sequence }) => sequence));
      for (const writer of [0, 1, 2, 3, 4, 5, 6, 7]) {
        const own = all.map(({ data }) => data as { writer: number; n: number }).filter((one) => one.writer === writer);
        expect(own.map(({ n }) => n)).toEqual(Array.from({ length: EVENTS }, (_, n) => n));
      }
    }));

  it("show no event before an earlier one, however long that takes", () =>
    withServers(async ([, ...others], where) => {
      const held = Promise.withResolvers<void>();
      const inside = Promise.withResolvers<void>();
      // The time is read inside the transaction, so this keeps the transaction open.
      const now = async () => {
        inside.resolve();
        await held.promise;
        return 1;
      };
      const slow = createSqlStore(await clockedDriver(where, now));
      const event = (type: string) => ({ owner: "ann", type, data: null });
      const first = slow.server.events.append([event("slow"), event("slow too")]);
      await inside.promise;
      const rest = others.map(({ events }, n) => events.append([event(`quick ${n}`)]));
      const seen = [];
      for (let looks = 0; looks < 20; looks += 1)
        seen.push(...(await others[0].events.read({ owner: "ann", after: 0 })));
      expect(seen).toEqual([]);
      held.resolve();
      await Promise.all([first, ...rest]);
      const types = (await others[0].events.read({ owner: "ann", after: 0 })).map(({ type }) => type);
      expect(types.slice(0, 2)).toEqual(["slow", "slow too"]);
      expect(types.slice(2).sort()).toEqual(["quick 0", "quick 1", "quick 2"]);
      await slow.close();
    }));

  it("grant a key to one claimant, and again when that one is gone", () =>
    withServers(async (stores) => {
      for (let round = 0; round < cases(4); round += 1) {
        const key = `${round}`;
        const claim = (milliseconds: number) =>
          Promise.all([...stores, ...stores].map(({ answers }) => answers.claim("ann", key, "hash", milliseconds)));
        await stores[0].answers.claim("ann", key, "hash", 0);
        expect((await claim(LONG)).toSorted()).toEqual([...Array(7).fill("busy"), "taken"]);
        await stores[3].answers.save("ann", key, { request: "hash", status: 200, headers: {}, body: key });
        for (const found of await claim(LONG)) expect(found).toMatchObject({ body: key });
      }
    }));

  it("keep no answer that is erased while it is given", () =>
    withServers(async ([a, b, c]) => {
      for (let round = 0; round < cases(6); round += 1) {
        const key = `${round}`;
        await a.answers.claim("ann", key, "hash", LONG);
        await Promise.all([
          a.answers.save("ann", key, { request: "hash", status: 200, headers: {}, body: "secret" }),
          b.answers.erase({ owner: "ann" }),
        ]);
        expect(await c.answers.claim("ann", key, "hash", LONG)).toBe("taken");
      }
    }));
});

async function takeAll(jobs: ServerStore["jobs"], holder: string): Promise<StoredJob[]> {
  const taken: StoredJob[] = [];
  for (;;) {
    const job = await jobs.lease(holder, LONG);
    if (job === undefined) return taken;
    taken.push(job);
  }
}
