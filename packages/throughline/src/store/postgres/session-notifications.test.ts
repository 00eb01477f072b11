import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { type PostgresServer, query, START_TIME, startPostgres } from "../../../test/postgres-server.ts";
import { createStoreDatabase } from "../../../test/store-database.ts";
import type { SessionKey, Store } from "../../ports/store.ts";
import { eventually } from "../../test/conformance.ts";
import { checkPostgresOptions } from "./connections.ts";
import { PostgresPool } from "./pool.ts";
import { postgresStore } from "./postgres-store.ts";
import { NotificationJoiner, splitNotification } from "./session-notifications.ts";

let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
}, START_TIME);
afterAll(() => server.stop());

const key: SessionKey = { userId: "ada", sessionId: "s" };

async function twoStores(): Promise<[Store, Store]> {
  const url = await createStoreDatabase(server);
  return [postgresStore(url), postgresStore(url)];
}

/** Subscribes and returns the list of received notifications. */
async function hear(store: Store, session: SessionKey): Promise<unknown[]> {
  const heard: unknown[] = [];
  await store.notifications?.subscribe(session, (notification) => heard.push(notification));
  return heard;
}

describe("notifications over PostgreSQL", () => {
  it("reach subscribers in other servers and in one's own, in order", async () => {
    const [a, b] = await twoStores();
    const [own, others] = [await hear(a, key), await hear(b, key)];
    for (let i = 0; i < 20; i += 1) await a.notifications?.publish(key, { i });
    const all = Array.from({ length: 20 }, (_, i) => ({ i }));
    await eventually(() => own.length === 20 && others.length === 20, "all are heard");
    expect([own, others]).toEqual([all, all]);
    await Promise.all([a.close(), b.close()]);
  });

  it("of one session, owner or schema do not reach the subscribers of another", async () => {
    const url = await createStoreDatabase(server);
    const [a, b, c] = [postgresStore(url), postgresStore(url), postgresStore(url, { schema: "other" })];
    const strangers = [
      await hear(b, { userId: "bob", sessionId: "s" }),
      await hear(b, { userId: "ada", sessionId: "s2" }),
      // Names that would collide if they were concatenated.
      await hear(b, { userId: "ad", sessionId: "as" }),
      await hear(c, key),
    ];
    const right = await hear(b, key);
    await a.notifications?.publish(key, "for ada");
    await eventually(() => right.length === 1, "it is heard");
    // Notifications arrive in order, so all earlier ones have arrived.
    await a.notifications?.publish({ userId: "bob", sessionId: "s" }, "for bob");
    await eventually(() => strangers[0]?.length === 1, "it is heard");
    expect(strangers).toEqual([["for bob"], [], [], []]);
    await Promise.all([a.close(), b.close(), c.close()]);
  });

  it("may be larger than one notification of PostgreSQL, up to a limit", async () => {
    const [a, b] = await twoStores();
    const heard = await hear(b, key);
    const large = { text: "Zürich 👩‍👩‍👧 \0 \ud83d ".repeat(3000) };
    await Promise.all([
      a.notifications?.publish(key, large),
      b.notifications?.publish(key, large),
      a.notifications?.publish(key, "small"),
    ]);
    await eventually(() => heard.length === 3, "all are heard");
    expect(heard).toEqual(expect.arrayContaining([large, large, "small"]));
    await expect(a.notifications?.publish(key, "x".repeat(1_000_000))).rejects.toMatchObject({
      code: "invalid-option",
    });
    await Promise.all([a.close(), b.close()]);
  });

  it("of other programs on the same channel have no effect", async () => {
    const url = await createStoreDatabase(server);
    const store = postgresStore(url);
    const heard = await hear(store, key);
    const payloads: string[] = [];
    const other = await new PostgresPool(url, checkPostgresOptions({})).listen(
      "throughline",
      (payload) => payloads.push(payload),
      () => undefined,
    );
    await store.notifications?.publish(key, "ours");
    await eventually(() => payloads.length === 1, "it is overheard");
    const forged = ["", "x", payloads[0]?.replace('"ours"', "{no json") ?? ""];
    for (const payload of forged) await query(url, `SELECT pg_notify('throughline', ${pg.escapeLiteral(payload)})`);
    await store.notifications?.publish(key, "ours again");
    await eventually(() => heard.length === 2, "both are heard");
    expect(heard).toEqual(["ours", "ours again"]);
    await other();
    await store.close();
  });

  it("end when one unsubscribes, for that one alone", async () => {
    const [a, b] = await twoStores();
    const gone: unknown[] = [];
    const unsubscribe = await b.notifications?.subscribe(key, (notification) => gone.push(notification));
    const heard = await hear(b, key);
    await unsubscribe?.();
    await a.notifications?.publish(key, 1);
    await eventually(() => heard.length === 1, "it is heard");
    expect(gone).toEqual([]);
    await Promise.all([a.close(), b.close()]);
  });

  it("arrive again after the listening connection was lost", async () => {
    const [a, b] = await twoStores();
    const heard = await hear(b, key);
    for (const lose of [endListening, () => server.restart("fast")]) {
      await lose();
      heard.length = 0;
      await eventually(async () => {
        await a.notifications?.publish(key, "again");
        return heard.length > 0;
      }, "notifications arrive again");
      expect(new Set(heard)).toEqual(new Set(["again"]));
    }
    await Promise.all([a.close(), b.close()]);
  });

  it("are refused once the store is closed", async () => {
    const [a, b] = await twoStores();
    const unsubscribe = await a.notifications?.subscribe(key, () => undefined);
    await Promise.all([a.close(), b.close()]);
    await expect(a.notifications?.publish(key, 1)).rejects.toMatchObject({ problem: "closed" });
    await expect(a.notifications?.subscribe(key, () => undefined)).rejects.toMatchObject({ problem: "closed" });
    await unsubscribe?.();
  });
});

async function endListening(): Promise<void> {
  await eventually(async () => {
    const listening = "application_name = 'throughline' AND query LIKE 'LISTEN%'";
    const ended = await server.run(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${listening}`);
    return ended.length > 0;
  }, "somebody listens");
}

describe("pieces of a notification", () => {
  const json = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary", maxLength: 40_000 }));

  it("are short enough and give the notification back", () => {
    fc.assert(
      fc.property(json, (notification) => {
        const payloads = splitNotification("topic", notification);
        for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8000);
        const joiner = new NotificationJoiner();
        const heard = payloads.map((payload) => joiner.add(payload));
        expect(heard.slice(0, -1)).toEqual(heard.slice(1).map(() => undefined));
        expect(JSON.parse(heard.at(-1)?.text ?? "")).toEqual(JSON.parse(JSON.stringify(notification)));
      }),
      { numRuns: cases(40) },
    );
  });

  it("that begin in the middle, or come from another program, are ignored", () => {
    const joiner = new NotificationJoiner();
    const [, ...rest] = splitNotification("topic", "x".repeat(20_000));
    const strange = ["", "hello", "a b c d", "topic id 1/x text", "topic id 2/2 text", "topic id 1/999999999 text"];
    expect([...rest, ...strange].map((payload) => joiner.add(payload)).filter(Boolean)).toEqual([]);
    expect(joiner.add(splitNotification("topic", 1).join(""))).toEqual({ topic: "topic", text: "1" });
  });
});
