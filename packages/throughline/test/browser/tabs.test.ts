import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR } from "../../src/internal/time.ts";
import { eventually } from "../../src/test/conformance.ts";
import { SOAK } from "../cases.ts";
import { START_TIME } from "./open-browser.ts";
import { openTestPages, type Tab, type TestPages } from "./test-pages.ts";

const WRITES = SOAK > 1 ? 60 : 20;
/** Three tabs write. */
const TOTAL = 3 * WRITES;

let pages: TestPages;
let [one, two]: Tab[] = [];

beforeAll(async () => {
  pages = await openTestPages();
  [one, two] = [await pages.newTab(), await pages.newTab()];
}, START_TIME);

afterAll(() => pages?.close());

function tabs(): [Tab, Tab] {
  if (one === undefined || two === undefined) throw new Error("There are no tabs.");
  return [one, two];
}

describe("two tabs", () => {
  it("lose no write and make none twice, when both write as fast as they can", async () => {
    const writers = [...tabs(), await pages.newTab()];
    const written = await Promise.all(writers.map((tab, i) => tab.call("writeMany", "at-once", `${i}-`, WRITES)));
    const all = written.flatMap(({ messages }) => messages).sort();
    expect(all).toHaveLength(TOTAL);
    for (const tab of writers) {
      const { messages, receipts, memories, learned } = await tab.call("written", "at-once");
      expect([...messages].sort()).toEqual(all);
      expect([...receipts].sort()).toEqual(all);
      expect(memories).toEqual(all);
      expect([...learned].sort()).toEqual(all);
      expect(await tab.call("head", "at-once")).toMatchObject({ appended: TOTAL, revision: TOTAL, receipts: TOTAL });
      // Each added one to the state it read, so no commit can be based on an old state.
      expect(await tab.call("rows", "at-once", "states")).toMatchObject([{ state: { count: TOTAL } }]);
    }
  });

  it("keep the order of each writer", async () => {
    const [{ messages }, writers] = [await tabs()[0].call("written", "at-once"), ["0-", "1-", "2-"]];
    for (const writer of writers) {
      const own = messages.filter((id) => id.startsWith(writer));
      expect(own).toEqual(own.map((_, i) => `${writer}${i}`));
    }
  });

  it("hold a lease one at a time, until it is released or expires", async () => {
    const [first, second] = tabs();
    for (const tab of tabs()) await tab.call("setClock", 1_000_000);
    expect(await first.call("acquire", "leases", "first", HOUR)).toEqual([true, true]);
    expect(await second.call("acquire", "leases", "second", HOUR)).toEqual([false, false]);
    expect(await second.call("head", "leases")).toMatchObject({ isCompacting: true });
    await first.call("release", "leases", "first");
    expect(await second.call("acquire", "leases", "second", HOUR)).toEqual([true, true]);
    await first.call("setClock", 1_000_000 + HOUR - 1);
    expect(await first.call("acquire", "leases", "first", HOUR)).toEqual([false, false]);
    await first.call("setClock", 1_000_000 + HOUR);
    expect(await first.call("head", "leases")).toMatchObject({ isCompacting: false });
    expect(await first.call("acquire", "leases", "first", HOUR)).toEqual([true, true]);
  });

  it("get one lease when both want it at once", async () => {
    for (const tab of tabs()) await tab.call("setClock", 1_000_000);
    for (let round = 0; round < 20; round += 1) {
      const got = await Promise.all(tabs().map((tab, i) => tab.call("acquire", `lease ${round}`, `${i}`, HOUR)));
      expect(got.map(([session]) => session).sort()).toEqual([false, true]);
      expect(got.map(([, work]) => work).sort()).toEqual([false, true]);
    }
  });

  it("are notified of each other's writes, and not of their own", async () => {
    const [first, second] = tabs();
    for (const tab of tabs()) await tab.call("listen", "notified");
    await first.call("append", "notified", "m0");
    await eventually(async () => (await second.call("received", "notified")).writes === 1, "the other tab is notified");
    expect((await first.call("received", "notified")).writes).toBe(0);
    // A lease is nothing to look at.
    await first.call("acquire", "notified", "first", HOUR);
    await second.call("append", "notified", "m1");
    await eventually(async () => (await first.call("received", "notified")).writes === 1, "the first is notified");
    expect((await second.call("received", "notified")).writes).toBe(1);
  });

  it("receive the notifications of a session from any tab", async () => {
    const [first, second] = tabs();
    await first.call("publish", "notified", { type: "turn" });
    await second.call("publish", "notified", "last");
    for (const tab of tabs()) {
      await eventually(
        async () => (await tab.call("received", "notified")).notifications.length === 2,
        "both notifications arrived",
      );
      expect((await tab.call("received", "notified")).notifications).toEqual([{ type: "turn" }, "last"]);
    }
  });

  it("leave nothing written by halves when one is closed in the middle of it", async () => {
    const [first] = tabs();
    for (const round of [0, 1, 2]) {
      const name = `cut off ${round}`;
      const doomed = await pages.newTab();
      const writing = doomed.call("writeMany", name, "m", 10_000).catch(() => undefined);
      const isUnderWay = async () => (await first.call("written", name)).memories.length > 5;
      await eventually(isUnderWay, "some of it is written");
      await doomed.page.close();
      await writing;
      const { messages, receipts, memories, learned } = await first.call("written", name);
      const counts = { appended: messages.length, revision: receipts.length, receipts: receipts.length };
      expect(await first.call("head", name)).toMatchObject(counts);
      expect(await first.call("rows", name, "states")).toMatchObject([{ state: { count: receipts.length } }]);
      const { length } = learned;
      expect(await first.call("rows", name, "documents")).toMatchObject([
        { revision: length, value: { ids: learned } },
      ]);
      expect(await first.call("rows", name, "spaces")).toMatchObject([{ revision: memories.length }]);
      for (const table of ["entries", "journal"]) {
        expect(await first.call("rows", name, table)).toHaveLength(memories.length);
      }
    }
  });

  it("find the stored data after all of them were closed", async () => {
    const tab = await pages.newTab();
    await tab.call("append", "closed", "m0", "Still here.");
    await tab.page.close();
    expect((await (await pages.newTab()).call("written", "closed")).messages).toEqual(["m0"]);
  });
});

describe("conversations", () => {
  const conversation = (id: string, updatedAt: number) => ({
    ...{ id, title: `About ${id}`, createdAt: 1, updatedAt, sessionId: `${id}-2`, branches: [`${id}-1`, `${id}-2`] },
  });

  it("are listed for their owner, the latest first, and seen by every tab", async () => {
    const [first, second] = tabs();
    for (const [id, at] of [
      ["a", 3],
      ["b", 9],
      ["c", 3],
    ] as const) {
      await first.call("putConversation", "chats", "ann", conversation(id, at));
    }
    await first.call("putConversation", "chats", "bob", conversation("a", 99));
    const expected = [conversation("b", 9), conversation("a", 3), conversation("c", 3)];
    expect(await second.call("listConversations", "chats", "ann")).toEqual(expected);
    await second.call("putConversation", "chats", "ann", { ...conversation("c", 10), title: "Renamed" });
    expect((await first.call("listConversations", "chats", "ann")).map(({ title }) => title)).toEqual([
      "Renamed",
      "About b",
      "About a",
    ]);
  });

  it("are found by their id, and are gone when they are removed", async () => {
    const [first, second] = tabs();
    await first.call("removeConversation", "chats", "ann", "a");
    expect(await second.call("getConversation", "chats", "ann", "a")).toBeUndefined();
    expect(await second.call("getConversation", "chats", "ann", "b")).toEqual(conversation("b", 9));
    expect(await second.call("getConversation", "chats", "bob", "a")).toEqual(conversation("a", 99));
  });
});
