import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { stored } from "../../message/convert/rich.arbitrary.ts";
import { anyWindow } from "../../message/message.arbitrary.ts";
import type { Message } from "../../message/message.ts";
import type { MemoryStore } from "../../ports/memory-store.ts";
import type { Store } from "../../ports/store.ts";
import { change, contradiction, entry, journalEntry, memory, storedMemory, turn } from "../../test/samples.ts";
import { sqliteDriver } from "../sqlite/sqlite-store.ts";
import type { SqlDriver, SqlTransaction } from "./sql-driver.ts";
import { createSqlStore } from "./sql-store.ts";

const bytesPart = fc
  .uint8Array()
  .map((data) => ({ type: "file", mediaType: "image/png", data: { type: "data", data } }) as const);

/** Arbitrary messages, including files as bytes. */
const anyMessages: fc.Arbitrary<Message[]> = fc
  .tuple(anyWindow.map(stored), fc.array(bytesPart, { maxLength: 2 }))
  .map(([messages, files]) =>
    messages.map((message, i) => ({
      ...message,
      parts: [...message.parts, ...files.map((file, f) => ({ ...file, id: `file ${i} ${f}` }))],
    })),
  );

describe("a store in SQL", () => {
  it("returns every message as it was appended", async () => {
    const store = createSqlStore(sqliteDriver(":memory:"));
    let sessions = 0;
    await fc.assert(
      fc.asyncProperty(anyMessages, fc.nat({ max: 12 }), async (messages, at) => {
        const key = { userId: "ann", sessionId: `s${sessions++}` };
        const [first, rest] = [messages.slice(0, at), messages.slice(at)];
        expect(await store.messages.append(key, 0, first)).toBe(true);
        expect(await store.messages.append(key, first.length, rest)).toBe(true);
        expect(await store.messages.list(key)).toStrictEqual(messages);
        expect(await store.messages.get(key, messages.map(({ id }) => id).reverse())).toStrictEqual(messages);
      }),
      { numRuns: cases(60) },
    );
    await store.close();
  });

  it("reads a flat message of old, whose content is one JSON text, beside those of today", async () => {
    const driver = sqliteDriver(":memory:");
    const store = createSqlStore(driver);
    await append(store, 0, 1);
    await driver.write(async (tx) => {
      const insert = "INSERT INTO messages (owner, session_id, position, id, role, created_at, tokens, content)";
      await tx.run(`${insert} VALUES ('ann', 's', 1, 'old', 'assistant', 7, 3, ?)`, ['[{"type":"text","text":"Hi"}]']);
      await tx.run("UPDATE sessions SET appended = 2");
    });
    await append(store, 2, 1);
    const key = { userId: "ann", sessionId: "s" };
    const old = expect.objectContaining({
      id: "old",
      sessionId: "s",
      role: "assistant",
      createdAt: 7,
      tokens: 3,
      parts: [{ id: "old.0", type: "text", text: "Hi" }],
    });
    expect(await store.messages.list(key, { from: 1, limit: 1 })).toEqual([old]);
    expect((await store.messages.get(key, ["m2", "old", "m0"])).map(({ id }) => id)).toEqual(["m0", "old", "m2"]);
    expect(await store.messages.list(key, { parts: ["old.0"] })).toEqual([old]);
    const mixed = await store.messages.list(key, { parts: ["m2.0", "old.0", "m0.0"] });
    expect(mixed.map(({ id }) => id)).toEqual(["m0", "old", "m2"]);
    expect(await store.messages.list(key, { parts: ["old.1"] })).toEqual([]);
    await store.close();
  });

  it("appends with as many statements to a long session with a large state as to a new one", async () => {
    const { store, statements } = recorded();
    const key = { userId: "ann", sessionId: "s" };
    await append(store, 0, 1);
    statements.length = 0;
    await append(store, 1, 1);
    const toShort = [...statements];
    await append(store, 2, 2000);
    await store.sessions.commit(key, { revision: 0, state: { large: "x".repeat(100_000) } });
    statements.length = 0;
    await append(store, 2002, 1);
    expect(statements).toEqual(toShort);
    expect(statements.join("\n")).not.toContain("session_states");
    await store.close();
  });

  it("reads only the requested rows: no statement scans a table", async () => {
    const { store, driver, statements } = recorded();
    await useEverything(store);
    expect(statements.length).toBeGreaterThan(25);
    const plans = await plansOf(driver, statements);
    expect(plans.length).toBeGreaterThan(20);
    expect(plans.filter((plan) => !isBounded(plan))).toEqual([]);
  });

  it("reads only the requested rows of a space", async () => {
    const { store, driver, statements } = recorded();
    await useMemoryStore(store.memories);
    const plans = await plansOf(driver, statements);
    expect(plans.length).toBeGreaterThan(40);
    expect(plans.filter((plan) => !isBoundedInSpace(plan))).toEqual([]);
  });
});

async function plansOf(driver: SqlDriver, statements: readonly string[]): Promise<string[]> {
  return driver.read(async (tx) => {
    const found: string[] = [];
    for (const sql of new Set(statements)) {
      const params = Array<null>(sql.split("?").length - 1).fill(null);
      for (const { detail } of await tx.all(`EXPLAIN QUERY PLAN ${sql}`, params)) found.push(`${detail} for ${sql}`);
    }
    return found;
  });
}

/** Statements that read all rows of a space. */
const ALL_OF_SPACE = [
  /FROM memories INDEXED BY \w+ WHERE space = \? (AND [^=]+)?ORDER BY id/,
  /FROM turns WHERE space = \? +ORDER BY id/,
  /FROM memory_journal WHERE space = \? ORDER BY revision DESC/,
  /FROM (memories|turns) WHERE space = \? GROUP BY project_id$/,
  /FROM contradictions WHERE space = \?$/,
  /FROM memories WHERE space = \? AND links IS NOT NULL/,
  /^SEARCH blobs .* for DELETE FROM blobs WHERE space = \?$/,
];

/** Plan lines that read no rows, and one that reads all spaces. */
const READS_NO_ROWS =
  /^(USE TEMP B-TREE FOR (GROUP BY|count\(DISTINCT\)) for SELECT project_id|SCAN \d+-ROW VALUES|COMPOUND QUERY|LEFT-MOST|UNION ALL|CORRELATED SCALAR|LIST SUBQUERY)/;
const ALL_SPACES = /^SCAN memory_spaces .*ORDER BY space/;
/** Searches by space and another column, or by space name if a row is a space. */
const IN_SPACE = /^SEARCH \w+ USING .*(\(space=\? AND |\(\w+=\? AND space=\?)|^SEARCH memory_spaces .*\(space[=>]\?\)/;

/** True if rows are found by an index, in the requested order. */
function isBoundedInSpace(plan: string): boolean {
  return [READS_NO_ROWS, ALL_SPACES, IN_SPACE].some((form) => form.test(plan)) || isAllOfSpace(plan);
}

function isAllOfSpace(plan: string): boolean {
  return /^SEARCH \w+ USING .*\(space=\?\)/.test(plan) && ALL_OF_SPACE.some((form) => form.test(plan));
}

/**
 * True if messages and parts are found by position or id, marked parts in their own index, everything else by session.
 * Rows of an insert and value lists are not tables.
 */
function isBounded(plan: string): boolean {
  if (/^SCAN \d+-ROW VALUES CLAUSE/.test(plan)) return true;
  const isPurge = plan.includes("DELETE FROM sessions WHERE owner = ? AND id = ?");
  if (!isPurge && /^SEARCH (messages|message_parts) /.test(plan)) {
    return /INDEX message_parts_compacted|\(owner=\? AND session_id=\? AND (position|id)[=<>]\?/.test(plan);
  }
  if (/FROM sessions WHERE owner = \? +ORDER BY id/.test(plan)) return plan.includes("(owner=?)");
  return plan.startsWith("SEARCH") ? /\(owner=\? AND (session_id|id)[=>]\?/.test(plan) : !plan.startsWith("SCAN");
}

/** A store that records its statements after the migration. */
function recorded(): { store: Store; driver: SqlDriver; statements: string[] } {
  const driver = sqliteDriver(":memory:");
  const statements: string[] = [];
  const note = (sql: string) => {
    if (/throughline_migrations|sqlite_master|^(CREATE|ALTER)/.test(sql)) statements.length = 0;
    else statements.push(sql);
    return sql;
  };
  const noting = (tx: SqlTransaction): SqlTransaction => ({
    all: (sql, params) => tx.all(note(sql), params),
    run: (sql, params) => tx.run(note(sql), params),
  });
  const store = createSqlStore({
    dialect: "sqlite",
    read: (work) => driver.read((tx) => work(noting(tx))),
    write: (work) => driver.write((tx) => work(noting(tx))),
    now: (tx) => driver.now(tx),
    close: () => driver.close(),
  });
  return { store, driver, statements };
}

async function append({ messages }: Store, at: number, count: number): Promise<void> {
  const fresh = Array.from({ length: count }, (_, i): Message => {
    const id = `m${at + i}`;
    const parts = [{ id: `${id}.0`, type: "text", text: id }] as const;
    return { id, sessionId: "s", role: "user", createdAt: 1, parts };
  });
  expect(await messages.append({ userId: "ann", sessionId: "s" }, at, fresh)).toBe(true);
}

/** Calls every method with lists of several lengths. */
async function useEverything(store: Store): Promise<void> {
  const key = { userId: "ann", sessionId: "s" };
  const { messages, sessions } = store;
  await append(store, 0, 100);
  await messages.list(key, { from: 5, limit: 3 });
  await messages.list(key, { from: 5 });
  for (const count of [1, 3, 50]) {
    const ids = Array.from({ length: count }, (_, i) => `m${i}`);
    await messages.get(key, ids);
    await messages.taken(key, { messages: ids, parts: ids });
    await sessions.compactions(key, ids);
  }
  await messages.list(key, { parts: ["m1.0"] });
  const event = { round: 1, createdAt: 1, tokensBefore: 1, tokensAfter: 1, summary: "", compactedMessageIds: [] };
  const compactions = [{ id: "c", ...event, detail: 1 }];
  const receipts = [{ id: "r", createdAt: 1, value: 1 }];
  await sessions.commit(key, { revision: 0, state: 1, compactions, receipts });
  const parts = Array.from({ length: 30 }, (_, i) => `m${i}.0`);
  await sessions.commit(key, { revision: 1, marks: new Map(parts.map((id) => [id, 1])) });
  await messages.marks(key);
  await sessions.head(key);
  await sessions.state(key);
  await sessions.compactions(key);
  await sessions.receipts(key);
  await sessions.receipts(key, 3);
  await sessions.lease(key, "a", 1000);
  await sessions.lease(key, "a", 0);
  await sessions.list("ann");
  await sessions.list("ann", { after: "a", limit: 2 });
  await sessions.purge(key);
}

/** Calls every method with lists of several lengths. */
async function useMemoryStore(memoryStore: MemoryStore): Promise<void> {
  const space = "user:ann";
  const ids = Array.from({ length: 50 }, (_, i) => `m${i}`);
  const journal = [journalEntry("j", [change("m0", memory("m0", { links: ["m1"] })), change("m1")])];
  await memoryStore.commit(space, {
    revision: 0,
    memories: ids.map((id) => storedMemory(id, { links: ["m0"], artifacts: [{ type: "pr", ref: "1" }] })),
    turns: ids.map((id, i) => turn(id, "s", i)),
    entries: ids.map((id) => entry(id, "words")),
    contradictions: [contradiction("c", "m0", "m1")],
    journal,
  });
  await memoryStore.commit(space, { revision: 1, memories: [storedMemory("m1")] });
  await memoryStore.head(space);
  for (const count of [1, 3, 50]) {
    const some = ids.slice(0, count);
    await memoryStore.get(space, "memories", some);
    await memoryStore.get(space, "turns", some);
    await memoryStore.list(space, "memories", { current: true, matchAny: { slots: some, fingerprints: ["words"] } });
    await memoryStore.record(space, { uses: { ids: some, use: "cited", at: 1 } });
    await memoryStore.get(space, "contradictions", some);
    await memoryStore.list(space, "contradictions", { of: some });
    await memoryStore.get(space, "journal", some);
  }
  const filters = [
    {},
    { current: true },
    { current: true, categorized: true },
    { sessionId: "s" },
    { matchAny: { slots: ["slot"] } },
  ];
  for (const filter of filters) {
    await memoryStore.list(space, "memories", filter);
    await memoryStore.list(space, "memories", { ...filter, current: true, after: "m1", limit: 2 });
  }
  await memoryStore.list(space, "turns", { sessionId: "s", from: 1, limit: 2 });
  await memoryStore.list(space, "turns", { sessionId: "s", newestFirst: true, limit: 1 });
  await memoryStore.list(space, "turns");
  await memoryStore.list(space, "entries", { limit: 10 });
  await memoryStore.list(space, "entries", { after: { revision: 0, id: "m1" }, limit: 10 });
  await memoryStore.list(space, "entries", { withoutVectorOf: "words", afterId: "m1", limit: 10 });
  await memoryStore.list(space, "contradictions");
  await memoryStore.list(space, "contradictions", { status: "open" });
  await memoryStore.list(space, "journal", { limit: 10 });
  await memoryStore.record(space, { judgements: [{ key: "k", memoryIds: ["m0", "m1"], contradicts: true }] });
  await memoryStore.get(space, "judgements", ["k"]);
  await memoryStore.lease(space, "work", "me", 1000);
  await memoryStore.lease(space, "work", "me", 0);
  await memoryStore.list(space, "projects");
  await memoryStore.spaces();
  await memoryStore.spaces({ after: space, limit: 1 });
  await memoryStore.commit(space, { revision: 2, blobs: [{ name: "b", bytes: Uint8Array.of(1) }] });
  await memoryStore.erase(space, { memories: ["m1"], turns: ["m1"] });
}
