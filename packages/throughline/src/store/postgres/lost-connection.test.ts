import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { appendNext, idsOf } from "../../../test/append-next.ts";
import { startCuttingProxy } from "../../../test/cutting-proxy.ts";
import { isLong, longTest } from "../../../test/long-tests.ts";
import { type PostgresServer, query, START_TIME, startPostgres } from "../../../test/postgres-server.ts";
import { createStoreDatabase } from "../../../test/store-database.ts";
import type { SessionKey, Store } from "../../ports/store.ts";
import { eventually } from "../../test/conformance.ts";
import { compaction, said } from "../../test/samples.ts";
import { postgresStore } from "./postgres-store.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, START_TIME);
afterAll(() => server.stop());

/** Number of connections to terminate, one after another. */
const ENDINGS = 200;

const key: SessionKey = { userId: "ada", sessionId: "s" };

/** Terminates server processes that wait for an event. */
async function terminateWaiting(event: string): Promise<void> {
  const ours = `application_name = 'throughline' AND wait_event = '${event}'`;
  await eventually(async () => {
    const ended = await server.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ours}`);
    return ended.length > 0;
  }, `a connection waits for ${event}`);
}

/** Makes the server run an action at each COMMIT of a write. */
async function atCommit(url: string, action: string): Promise<void> {
  await query(
    url,
    `CREATE FUNCTION act() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${action}; RETURN NULL; END $$;
     CREATE CONSTRAINT TRIGGER act AFTER INSERT OR UPDATE ON throughline.writers
       DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION act()`,
  );
}

describe("a write whose confirmation is lost", () => {
  it.each(["before", "behind"] as const)("is kept once when the network breaks %s the COMMIT", async (where) => {
    const url = await createStoreDatabase(server);
    const proxy = await startCuttingProxy(url);
    const store = postgresStore(proxy.url);
    expect(await store.messages.append(key, 0, [said(key, "m0")])).toBe(true);

    proxy.cutNextCommit(where);
    expect(await store.messages.append(key, 1, [said(key, "m1")])).toBe(true);
    proxy.cutNextCommit(where);
    expect(await store.sessions.commit(key, { revision: 0, state: { n: 1 }, compactions: [compaction("c", 1)] })).toBe(
      true,
    );
    proxy.cutNextCommit(where);
    expect(await store.sessions.lease(key, "holder", 60_000)).toBe(true);

    expect(await idsOf(store, key)).toEqual(["m0", "m1"]);
    const head = { appended: 2, revision: 1, compactions: 1, isCompacting: true };
    expect(await store.sessions.head(key)).toMatchObject(head);
    await store.close();
    await proxy.close();
  });

  it("is waited for when the server is still at it", async () => {
    const url = await createStoreDatabase(server);
    const proxy = await startCuttingProxy(url);
    const store = postgresStore(proxy.url);
    await store.messages.append(key, 0, [said(key, "m0")]);
    await atCommit(url, "PERFORM pg_advisory_xact_lock(42)");
    const holder = new pg.Client(url);
    await holder.connect();
    await holder.query("SELECT pg_advisory_lock(42)");
    proxy.cutNextCommit("during");
    const append = store.messages.append(key, 1, [said(key, "m1")]);
    // The check for the lost write waits for the transaction that waits for us.
    await eventually(async () => {
      const waiting = "SELECT DISTINCT wait_event FROM pg_stat_activity WHERE application_name = 'throughline'";
      const events = (await server.run(waiting)).map(({ wait_event }) => wait_event);
      return events.includes("advisory") && events.includes("transactionid");
    }, "both wait");
    await holder.end();
    expect(await append).toBe(true);
    expect(await idsOf(store, key)).toEqual(["m0", "m1"]);
    await store.close();
    await proxy.close();
  });

  it("is the caller's own although others wrote behind it meanwhile", async () => {
    const url = await createStoreDatabase(server);
    const proxy = await startCuttingProxy(url);
    const [mine, other] = [postgresStore(proxy.url, { maxConnections: 1 }), postgresStore(url)];
    await mine.messages.append(key, 0, [said(key, "m0")]);
    proxy.cutNextCommit("behind");
    // The check cannot start before the other transaction has written.
    const letIn = proxy.hold();
    const append = mine.messages.append(key, 1, [said(key, "mine")]);
    await eventually(() => other.messages.append(key, 2, [said(key, "other")]), "the other can write behind it");
    letIn();
    expect(await append).toBe(true);
    expect(await idsOf(other, key)).toEqual(["m0", "mine", "other"]);
    await Promise.all([mine.close(), other.close()]);
    await proxy.close();
  });

  it("is kept once when the server's process is ended after it committed", async () => {
    const url = await createStoreDatabase(server);
    const store = postgresStore(url);
    await store.messages.append(key, 0, [said(key, "m0")]);
    // With a standby that never answers, a commit is stored and then waits forever.
    await server.run("ALTER SYSTEM SET synchronous_standby_names = 'nobody'");
    await server.run("SELECT pg_reload_conf()");
    const appends = (async () => {
      for (let i = 1; i < 50; i += 1) expect(await store.messages.append(key, i, [said(key, `m${i}`)])).toBe(true);
    })();
    await terminateWaiting("SyncRep");
    await server.run("ALTER SYSTEM RESET synchronous_standby_names");
    await server.run("SELECT pg_reload_conf()");
    await appends;
    expect(await idsOf(store, key)).toEqual(Array.from({ length: 50 }, (_, i) => `m${i}`));
    await store.close();
  });

  it("is made again when the server's process is ended before it committed", async () => {
    const url = await createStoreDatabase(server);
    const store = postgresStore(url);
    await store.messages.append(key, 0, [said(key, "m0")]);
    await query(url, "CREATE TABLE pauses AS SELECT 1");
    await atCommit(url, "IF EXISTS (SELECT FROM public.pauses) THEN PERFORM pg_sleep(60); END IF");
    const append = store.messages.append(key, 1, [said(key, "m1")]);
    await eventually(async () => {
      const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
      return (await server.run(waiting)).length > 0;
    }, "the COMMIT is held up");
    await query(url, "DELETE FROM pauses");
    await terminateWaiting("PgSleep");
    expect(await append).toBe(true);
    expect(await idsOf(store, key)).toEqual(["m0", "m1"]);
    await store.close();
  });
});

describe("a server that goes away", () => {
  async function writeThrough(trouble: () => Promise<void>): Promise<void> {
    const url = await createStoreDatabase(server);
    const stores = [postgresStore(url), postgresStore(url), postgresStore(url)] as const;
    for (const store of stores) await store.sessions.head(key);
    let isOver = false;
    const write = async (store: Store, i: number) => {
      let count = 0;
      while (!isOver || count < 10) {
        await appendNext(store, key, said(key, `w${i}-${count}`));
        count += 1;
      }
      return count;
    };
    const [, ...counts] = await Promise.all([
      trouble().then(() => {
        isOver = true;
      }),
      ...stores.map(write),
    ]);
    const ids = await idsOf(stores[0], key);
    counts.forEach((count, i) => {
      const own = ids.filter((id) => id.startsWith(`w${i}-`));
      expect(own).toEqual(Array.from({ length: count }, (_, n) => `w${i}-${n}`));
    });
    expect(ids).toHaveLength(counts.reduce((sum, count) => sum + count, 0));
    await Promise.all(stores.map((store) => store.close()));
  }

  it.each(isLong ? (["fast", "crash"] as const) : (["crash"] as const))(
    "and comes back (%s) loses no confirmed append and doubles none",
    async (how) => {
      await writeThrough(() => server.restart(how));
    },
  );

  longTest("connection by connection loses no confirmed append and doubles none", async () => {
    await writeThrough(async () => {
      for (let i = 0; i < ENDINGS; i += 1) {
        const one = "application_name = 'throughline' ORDER BY random() LIMIT 1";
        await server.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${one}`);
        await sleep(25);
      }
    });
  });

  it("is not noticed while the store is idle", async () => {
    const store = postgresStore(await createStoreDatabase(server));
    await store.messages.append(key, 0, [said(key, "m0")]);
    await server.restart("fast");
    expect(await idsOf(store, key)).toEqual(["m0"]);
    await store.close();
  });
});
