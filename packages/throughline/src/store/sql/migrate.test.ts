import { describe, expect, it } from "vitest";
import type { Message } from "../../message/message.ts";
import { entry, memory, said, storedMemory } from "../../test/samples.ts";
import { sqliteDriver } from "../sqlite/sqlite-store.ts";
import { migrate, versionOf } from "./migrate.ts";
import { server } from "./migrations/0005-server.ts";
import { LATEST_VERSION, MIGRATIONS, type Migration } from "./migrations/migrations.ts";
import type { SqlDriver, SqlRow } from "./sql-driver.ts";
import { createSqlStore } from "./sql-store.ts";

const key = { userId: "ann", sessionId: "s" };

describe("migrations", () => {
  it("are numbered from 1, without gaps", () => {
    expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_, i) => i + 1));
  });

  it("are journalled, and done once", async () => {
    const driver = sqliteDriver(":memory:");
    await Promise.all([migrate(driver), migrate(driver)]);
    await migrate(driver);
    const journal = await rowsOf(driver, "SELECT * FROM throughline_migrations ORDER BY number");
    expect(journal.map(({ number, name }) => [number, name])).toEqual([
      [1, "messages"],
      [2, "compactions"],
      [3, "memories"],
      [4, "documents"],
      [5, "server"],
      [6, "current chat facts"],
      [7, "blobs"],
      [8, "events by owner"],
      [9, "memory lists"],
    ]);
    expect(await driver.read((tx) => versionOf(tx, "sqlite"))).toBe(LATEST_VERSION);
    await driver.close();
  });

  it("keep the data of a database of version 1", async () => {
    const driver = sqliteDriver(":memory:");
    await migrate(driver, MIGRATIONS.slice(0, 1));
    const messages = await fillVersion1(driver);
    const store = createSqlStore(driver);
    expect(await store.messages.list(key)).toEqual(messages);
    expect(await store.sessions.state(key)).toEqual({ entries: ["m0"] });
    const head = { appended: 2, revision: 3, compactions: 0, receipts: 0 };
    expect(await store.sessions.head(key)).toEqual({ ...head, lastCompactionAt: undefined, isCompacting: false });
    // Features of version 2 work on older data.
    expect(await store.sessions.lease(key, "me", 1000)).toBe(true);
    const receipts = [{ id: "r", createdAt: 5, value: "why" }];
    expect(await store.sessions.commit(key, { revision: 3, receipts, marks: new Map([["m1.0", 9]]) })).toBe(true);
    expect(await store.sessions.receipts(key)).toEqual(receipts);
    expect(await store.messages.marks(key)).toEqual(new Map([["m1.0", 9]]));
    // So do features of version 3.
    expect(await store.memories.commit("user:ann", { revision: 0, memories: [storedMemory("m")] })).toBe(true);
    expect(await store.memories.list("user:ann", "memories")).toEqual([memory("m")]);
    expect(await store.documents.put("user:ann", "d", { revision: 0, value: 1 })).toBe(true);
    expect(await rowsOf(driver, "PRAGMA foreign_key_check")).toEqual([]);
    await driver.close();
  });

  it.each([{}, { encryptionKey: new Uint8Array(32).fill(7) }])(
    "keep the data of a database of 0.1, add blobs, and continue its events",
    async (options) => {
      const driver = sqliteDriver(":memory:");
      const before = createSqlStore(driver, options);
      await before.messages.append(key, 0, [said(key, "m0")]);
      await before.memories.commit("user:ann", { revision: 0, memories: [storedMemory("m")], entries: [entry("m")] });
      await before.documents.put("user:ann", "d", { revision: 0, value: { a: 1 } });
      const ofEvents = server.statements("sqlite").filter((sql) => / (events|event_counter) /.test(sql));
      await driver.write(async (tx) => {
        for (const table of ["blobs", "events", "event_counters"]) await tx.run(`DROP TABLE ${table}`);
        for (const index of ["memories_by_last_seen", "memories_by_project", "turns_by_project"])
          await tx.run(`DROP INDEX ${index}`);
        await tx.run("DELETE FROM throughline_migrations WHERE number > 6");
        for (const sql of ofEvents) await tx.run(sql);
        await tx.run("INSERT INTO events (sequence, owner, type, at, data) VALUES (7, 'bob', 'turn', 1, '{}')");
        await tx.run("UPDATE event_counter SET last = 9");
      });
      const content = await rowsOf(driver, "SELECT * FROM search_entries");
      const store = createSqlStore(driver, options);
      expect(await store.messages.list(key)).toEqual([said(key, "m0")]);
      expect(await store.memories.list("user:ann", "memories")).toEqual([memory("m")]);
      expect(await store.documents.get("user:ann", "d")).toEqual({ revision: 1, value: { a: 1 } });
      expect(await rowsOf(driver, "SELECT * FROM search_entries")).toEqual(content);
      const { events } = store.server;
      expect(await events.read({ owner: "bob", after: 6 })).toMatchObject([{ sequence: 7, type: "turn", data: {} }]);
      await events.append(["ann", "bob", "new"].map((owner) => ({ owner, type: "turn", data: {} })));
      const last = new Map(Object.entries({ ann: 10, bob: 10, new: 1 }));
      expect(await events.last(["ann", "bob", "new"])).toEqual(last);
      const blobs = [{ name: "b", bytes: Uint8Array.of(1) }];
      expect(await store.blobs.put("user:ann", { epoch: 0, blobs })).toBe(true);
      expect((await store.blobs.get("user:ann", ["b"])).map(({ bytes }) => [...bytes])).toEqual([[1]]);
      await driver.close();
    },
  );

  it("leave a database unchanged if one of them fails", async () => {
    const driver = sqliteDriver(":memory:");
    await migrate(driver, MIGRATIONS.slice(0, 1));
    await fillVersion1(driver);
    const broken: Migration = {
      number: 2,
      name: "broken",
      statements: () => ["CREATE TABLE half (a)", "DELETE FROM messages", "CREATE NONSENSE"],
    };
    await expect(migrate(driver, [...MIGRATIONS.slice(0, 1), broken])).rejects.toThrow("syntax error");
    expect(await driver.read((tx) => versionOf(tx, "sqlite"))).toBe(1);
    expect(await rowsOf(driver, "SELECT name FROM sqlite_master WHERE name = 'half'")).toEqual([]);
    expect(await rowsOf(driver, "SELECT id FROM messages")).toHaveLength(2);
    await driver.close();
  });

  it("refuse a database of a newer version", async () => {
    const driver = sqliteDriver(":memory:");
    await migrate(driver);
    await driver.write((tx) => tx.run("INSERT INTO throughline_migrations VALUES (999, 'from the future', 0)"));
    await expect(migrate(driver)).rejects.toMatchObject({ problem: "newer-version" });
    await expect(createSqlStore(driver).messages.list(key)).rejects.toMatchObject({ problem: "newer-version" });
    await driver.close();
  });

  it("refuse a database with tables of another program, and leave it unchanged", async () => {
    const driver = sqliteDriver(":memory:");
    await driver.write((tx) => tx.run("CREATE TABLE invoices (id)"));
    await expect(migrate(driver)).rejects.toMatchObject({
      problem: "not-ours",
      summary: "The database belongs to another program (tables: invoices).",
    });
    expect(await rowsOf(driver, "SELECT name FROM sqlite_master")).toEqual([{ name: "invoices" }]);
    await driver.close();
  });
});

function rowsOf(driver: SqlDriver, sql: string): Promise<SqlRow[]> {
  return driver.read(async (tx) => (await tx.all(sql)).map((row) => ({ ...row })));
}

/** Two messages and a state, written as in version 1. */
async function fillVersion1(driver: SqlDriver): Promise<Message[]> {
  await driver.write(async (tx) => {
    await tx.run("INSERT INTO sessions VALUES ('ann', 's', 1, 2, 2, 3)");
    await tx.run(`INSERT INTO session_states VALUES ('ann', 's', '{"entries":["m0"]}', NULL)`);
    await tx.run("INSERT INTO messages VALUES ('ann', 's', 0, 'm0', 'user', 10, 4, NULL, NULL, NULL)");
    const rest = '{"modelId":"gpt-5"}';
    await tx.run("INSERT INTO messages VALUES ('ann', 's', 1, 'm1', 'assistant', 11, NULL, NULL, ?, NULL)", [rest]);
    const part = `INSERT INTO message_parts VALUES ('ann', 's', ?, 0, ?, 'text', ?, NULL, ?, NULL)`;
    await tx.run(part, [0, "m0.0", 4, '{"text":"Hello"}']);
    await tx.run(part, [1, "m1.0", null, '{"text":"Hi"}']);
  });
  return [
    {
      id: "m0",
      sessionId: "s",
      role: "user",
      createdAt: 10,
      tokens: 4,
      parts: [{ id: "m0.0", type: "text", text: "Hello", tokens: 4 }],
    },
    {
      id: "m1",
      sessionId: "s",
      role: "assistant",
      createdAt: 11,
      modelId: "gpt-5",
      parts: [{ id: "m1.0", type: "text", text: "Hi" }],
    },
  ];
}
