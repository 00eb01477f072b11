import { beforeEach, describe, expect, it } from "vitest";
import { StoreError } from "../../errors/store-errors.ts";
import { type Device, openDevice, withVerbs } from "./fact-book.fixture.ts";
import type { FactBook } from "./fact-book.ts";

let device: Device;
let book: FactBook;

beforeEach(async () => {
  device = await openDevice();
  book = await device.open();
  await book.add({ text: "I live in Lisbon" });
  await book.add({ text: "I prefer tea" });
  await book.add({ text: "I prefer coffee" });
  await book.remove(
    book
      .getSnapshot()
      .facts.slice(0, 1)
      .map(({ id }) => id),
  );
});

const texts = (from = book) => from.getSnapshot().facts.map(({ fact }) => fact);
const left = async () => (await device.memory.list({ all: true })).map(({ levels }) => levels.full);

/** Advances the clock. A timer starts a read; the next read waits for it. */
async function pass(milliseconds: number, ...books: FactBook[]): Promise<void> {
  device.clock.pass(milliseconds);
  for (const one of [book, ...books]) await one.refresh();
}

describe("clear", () => {
  it("is visible at once, counts the facts, and erases them after eight seconds", async () => {
    const startedAt = device.clock.now();
    await book.clear();
    expect(book.getSnapshot()).toMatchObject({ facts: [], deleted: [], removals: [] });
    expect(book.getSnapshot().clearing).toEqual({ count: 2, startedAt, endsAt: startedAt + 8_000 });
    await pass(7_999);
    expect(await left()).toHaveLength(3);
    await pass(1);
    expect(book.getSnapshot()).not.toHaveProperty("clearing");
    expect(await left()).toEqual([]);
    expect(await device.memory.journal()).toEqual([]);
    expect(device.tombstone.text).toBe(JSON.stringify({ clearedAt: startedAt }));
    expect(device.clock.waiting).toBe(0);
  });

  it("reports its time, also to fact books opened later, unless it is undone", async () => {
    const first = device.clock.now();
    await book.clear();
    await pass(8_000);
    await book.add({ text: "I prefer tea" });
    await pass(1_000);
    await book.clear();
    expect(book.getSnapshot().clearedAt).toBe(device.clock.now());
    await book.undoClear();
    expect(book.getSnapshot().clearedAt).toBe(first);
    expect((await device.open()).getSnapshot().clearedAt).toBe(first);
  });

  it("is stored before it is visible", async () => {
    let kept: string | undefined;
    book.subscribe(() => {
      kept = device.tombstone.text;
    });
    await book.clear();
    expect(kept).toContain("endsAt");
  });

  it("can be undone until then, but not after", async () => {
    const { facts, deleted } = book.getSnapshot();
    await book.clear();
    await pass(7_999);
    expect(await book.undoLatest()).toBe(true);
    expect(book.getSnapshot()).toMatchObject({ facts, deleted });
    expect(device.tombstone.text).toBeUndefined();
    await pass(60_000);
    expect(await left()).toHaveLength(3);
    await book.clear();
    device.clock.pass(8_000);
    await book.undoClear();
    await book.refresh();
    expect(await left()).toEqual([]);
  });

  it("erases no fact that was added after it", async () => {
    await book.clear();
    await pass(1);
    await device.memory.ingest({ sessionId: "s", messages: [{ id: "m1", role: "user", text: "I work as a nurse." }] });
    await book.add({ text: "Ship the beta" });
    expect(texts()).toEqual(["Ship the beta", "I work as a nurse"]);
    await pass(8_000);
    expect((await left()).toSorted()).toEqual(["I work as a nurse", "Ship the beta"]);
  });

  it("keeps facts that are mentioned again after it, by hand or in a conversation", async () => {
    await book.clear();
    expect((await book.add({ text: "I live in Lisbon" })).outcome).toBe("merged");
    expect(texts()).toEqual(["I live in Lisbon"]);
    await pass(1_000);
    const said = { role: "user", text: "I prefer tea.", at: device.clock.now() };
    const { memories } = await device.memory.ingest({ sessionId: "s", messages: [said] });
    expect(memories).toMatchObject([{ outcome: "merged" }]);
    await pass(8_000);
    expect((await left()).toSorted()).toEqual(["I live in Lisbon", "I prefer tea"]);
    expect(texts()).toHaveLength(2);
  });

  it("erases facts mentioned before it, even if these mentions are read later", async () => {
    const at = device.clock.now();
    await book.clear();
    await pass(1_000);
    await device.memory.ingest({ sessionId: "s", messages: [{ role: "user", text: "I prefer tea.", at }] });
    await pass(8_000);
    expect(await left()).toEqual([]);
  });

  it("includes newer facts when it is called again, and all of it can be undone", async () => {
    await book.clear();
    await pass(5_000);
    await book.add({ text: "Ship the beta" });
    await book.clear();
    expect(book.getSnapshot().clearing).toMatchObject({ count: 3, endsAt: device.clock.now() + 8_000 });
    await pass(7_000);
    await book.undoClear();
    expect(texts()).toHaveLength(3);
  });

  it("does nothing if there are no facts", async () => {
    await book.clear();
    await pass(8_000);
    await book.clear();
    expect(book.getSnapshot()).not.toHaveProperty("clearing");
    expect(device.tombstone.text).not.toContain("facts");
  });

  it("waits for the facts to be loaded", async () => {
    const { schedule } = device.clock;
    const { createFactBook } = await import("./persistent-fact-book.ts");
    const fresh = createFactBook({ memory: device.memory, clock: device.clock, schedule, tombstone: device.tombstone });
    await fresh.clear();
    expect(fresh.getSnapshot().clearing?.count).toBe(2);
  });

  it("clears nothing if it cannot be stored", async () => {
    device.tombstone.isDenied = true;
    await expect(book.clear()).rejects.toThrow(StoreError);
    expect(texts()).toHaveLength(2);
    expect(book.getSnapshot()).not.toHaveProperty("clearing");
  });

  it("continues in another tab and can be undone there", async () => {
    const other = await device.open();
    await book.clear();
    await pass(2_000, other);
    expect(other.getSnapshot()).toMatchObject({ facts: [], clearing: book.getSnapshot().clearing });
    await other.undoClear();
    await pass(20_000, other);
    expect(texts()).toHaveLength(2);
    expect(texts(other)).toHaveLength(2);
  });

  it("runs once with two tabs", async () => {
    const other = await device.open();
    await book.clear();
    await pass(1_000, other);
    await pass(8_000, other);
    expect(await left()).toEqual([]);
    expect([book, other].map((one) => one.getSnapshot().status)).toEqual(["ready", "ready"]);
  });

  it("is completed by the next fact book if the store fails", async () => {
    const memory = withVerbs(device.memory, {
      purge: () => Promise.reject(new StoreError("unavailable", "The store is gone.")),
    });
    book = await device.open({ memory });
    await book.clear();
    await pass(8_000);
    expect(book.getSnapshot()).toMatchObject({ status: "failed", facts: [], deleted: [] });
    expect(await left()).toHaveLength(3);
    book.close();
    const next = await device.open();
    expect(next.getSnapshot()).toMatchObject({ status: "ready", facts: [] });
    expect(await left()).toEqual([]);
  });

  it("erases the rest if another tab erased some facts", async () => {
    const memory = withVerbs(device.memory, {
      purge: async (ids) => {
        const [first = ""] = ids;
        if (typeof ids !== "string" && ids.length > 1) await device.memory.purge(first);
        return device.memory.purge(ids);
      },
    });
    book = await device.open({ memory });
    await book.clear();
    await pass(8_000);
    expect(book.getSnapshot()).toMatchObject({ status: "ready", facts: [], deleted: [] });
    expect(await left()).toEqual([]);
  });

  it("ignores an invalid tombstone", async () => {
    for (const text of ["", "{", "null", '{"endsAt":1}', '{"count":1,"startedAt":0,"endsAt":1,"facts":{"x":"y"}}']) {
      device.tombstone.text = text;
      const opened = await device.open();
      expect(texts(opened)).toHaveLength(2);
    }
  });

  it("does not wait for a clock that was set back", async () => {
    await book.clear();
    book.close();
    device.clock.time -= 3_600_000;
    const next = await device.open();
    expect(next.getSnapshot().clearing?.endsAt).toBe(device.clock.now() + 8_000);
    device.clock.pass(4_000);
    await next.refresh();
    device.clock.pass(4_000);
    await next.refresh();
    expect(await left()).toEqual([]);
  });
});
