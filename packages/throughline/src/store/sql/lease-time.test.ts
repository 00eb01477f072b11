import { describe, expect, it } from "vitest";
import { clockedDriver } from "../../../test/clocked-driver.ts";
import { HOUR } from "../../internal/time.ts";
import { createSqlStore } from "./sql-store.ts";

describe("a lease that was left behind", () => {
  it("can be taken at once when the clock has been set back by an hour", async () => {
    let now = 10 * HOUR;
    const store = createSqlStore(await clockedDriver(":memory:", async () => now));
    const { jobs, answers } = store.server;
    const key = { userId: "ada", sessionId: "s" };
    await store.sessions.lease(key, "one", 30_000);
    await store.memories.lease("space", "work", "one", 30_000);
    await jobs.add({ kind: "k", owner: "ada", key: "k" });
    await jobs.lease("one", 30_000);
    await answers.claim("ada", "k", "hash", 5_000, "one");
    now -= HOUR;
    expect((await store.sessions.head(key)).isCompacting).toBe(false);
    expect(await store.sessions.lease(key, "two", 30_000)).toBe(true);
    expect(await store.memories.lease("space", "work", "two", 30_000)).toBe(true);
    expect(await jobs.lease("two", 30_000)).toMatchObject({ key: "k", holder: "two" });
    expect(await answers.claim("ada", "k", "hash", 5_000, "two")).toBe("taken");
    await store.close();
  });
});
