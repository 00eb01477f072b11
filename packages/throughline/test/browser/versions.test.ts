import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { longTest } from "../long-tests.ts";
import { START_TIME } from "./open-browser.ts";
import { openTestPages, type Tab, type TestPages } from "./test-pages.ts";

/** Rows of a database that version 1 or 2 created. */
const OLD_MESSAGES = ["m0", "m1", "m2"];

let pages: TestPages;
let tab: Tab;

beforeAll(async () => {
  pages = await openTestPages();
  tab = await pages.newTab();
}, START_TIME);

afterAll(() => pages?.close());

describe("a database of an older version", () => {
  it.each([1, 2])("made by version %i has everything after it was opened, and can be written to", async (version) => {
    const name = `old ${version}`;
    await tab.call("makeVersion", name, version);
    expect((await tab.call("schema", name)).version).toBe(version * 10);
    const memories = version === 1 ? [] : ["f1", "f2"];
    expect(await tab.call("written", name)).toEqual({
      messages: OLD_MESSAGES,
      receipts: [],
      memories,
      learned: [],
    });
    expect(await tab.call("listConversations", name, "ann")).toMatchObject([{ id: "c", title: "First" }]);
    expect(await tab.call("head", name)).toMatchObject({ appended: 3, revision: 0, receipts: 0 });
    expect(await tab.call("rows", name, "sessions")).toMatchObject([{ createdAt: 1_000, updatedAt: 1_002 }]);
    expect(await tab.call("writeMany", name, "new-", 3)).toMatchObject({ messages: ["new-0", "new-1", "new-2"] });
    expect(await tab.call("append", name, "m1")).toMatchObject({ problem: "duplicate-id" });
    expect(await tab.call("schema", name)).toEqual(await newSchema());
  });

  it("made by version 2 has its memories in every index", async () => {
    await tab.call("makeVersion", "indexed", 2);
    await tab.call("open", "indexed");
    const [first, second] = await tab.call("rows", "indexed", "memory");
    expect(first).toMatchObject({ ofChat: 1, current: 1, slotKey: "slot f1", fingerprintKey: "f1" });
    expect(first).toMatchObject({ mentions: [["user:ann", "f2"]] });
    expect(second).not.toHaveProperty("current");
    expect(await tab.call("rows", "indexed", "spaces")).toEqual([{ space: "user:ann", revision: 1, epoch: 0 }]);
  });
});

/** Schema of a new database. */
async function newSchema() {
  await tab.call("open", "new");
  return tab.call("schema", "new");
}

describe("the table of memories", () => {
  it("has the indexes that a chat asks for by name", async () => {
    const names = ["id", "category", "lastSeen", "confidence", "lastSeenConversationId"];
    expect((await newSchema()).tables.memory).toEqual(expect.arrayContaining(names));
  });

  it("has columns that match its memories", async () => {
    await tab.call("writeWord", "columns", "word", "other");
    const rows = await tab.call("rows", "columns", "memory");
    for (const { memory, ...columns } of rows) {
      const { id, category, confidence, lastSeenAt, source } = memory as Record<string, unknown>;
      const { sessionId } = source as Record<string, unknown>;
      expect(columns).toMatchObject({ id, confidence, lastSeen: lastSeenAt });
      expect([columns.category, columns.lastSeenConversationId]).toEqual([category, sessionId]);
    }
    expect(rows.map(({ category }) => category)).toEqual(["preference", undefined]);
  });
});

describe("a read", () => {
  it("asks for a stretch of an index, and never for a whole table", async () => {
    await tab.call("writeWord", "reads", "word", "other");
    const { requests, whole } = await tab.call("readAll", "reads");
    expect(requests).toBeGreaterThan(20);
    expect(whole).toEqual([]);
  });
});

describe("a database of a newer version", () => {
  it("is refused, and nothing is added to it", async () => {
    await tab.call("makeNewer", "newer");
    const before = await tab.call("schema", "newer");
    const refused = { problem: "newer-version", message: expect.stringMatching(/newer version/) };
    expect(await tab.call("open", "newer")).toMatchObject(refused);
    expect(await tab.call("append", "newer", "m0")).toMatchObject(refused);
    expect(await tab.call("schema", "newer")).toEqual(before);
    expect(before.tables).not.toHaveProperty("receipts");
  });

  it("can be migrated by another tab while this one is open, without loss", async () => {
    const other = await pages.newTab();
    await tab.call("open", "upgraded");
    const writing = tab.call("appendUntilRefused", "upgraded", "m", "text");
    while (((await other.call("head", "upgraded")) as { appended: number }).appended < 20);
    await other.call("close", "upgraded");
    await other.call("makeNewer", "upgraded");
    const { ids, last } = await writing;
    expect(last).toMatchObject({ problem: "newer-version", hint: expect.stringMatching(/Reload/) });
    expect(ids.length).toBeGreaterThanOrEqual(20);
    expect((await other.call("rows", "upgraded", "messages")).map(({ id }) => id)).toEqual(ids);
    expect(await tab.call("append", "upgraded", "late")).toMatchObject({ problem: "newer-version" });
  });
});

describe("a tab that does not let go of an old version", () => {
  longTest("keeps another from opening, which says so, and gets through when that tab is closed", async () => {
    const old = await pages.newTab();
    await old.call("makeVersion", "held", 1);
    await old.call("hold", "held");
    const refused = { problem: "busy", hint: expect.stringMatching(/Close the other tabs/) };
    expect(await tab.call("open", "held")).toMatchObject(refused);
    expect(await tab.call("append", "held", "m3")).toMatchObject(refused);
    await old.page.close();
    expect(await tab.call("open", "held")).toEqual({ value: 3 });
    expect((await tab.call("written", "held")).messages).toEqual(OLD_MESSAGES);
  });
});
