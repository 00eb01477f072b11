import { beforeEach, describe, expect, it } from "vitest";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { SecretRefusedError } from "../../errors/memory-errors.ts";
import { NotFoundError, StoreError } from "../../errors/store-errors.ts";
import { type Device, openDevice, withVerbs } from "./fact-book.fixture.ts";
import type { FactBook } from "./fact-book.ts";

let device: Device;
let book: FactBook;

beforeEach(async () => {
  device = await openDevice();
  book = await device.open();
});

const texts = (from = book) => from.getSnapshot().facts.map(({ fact }) => fact);
const deleted = (from = book) => from.getSnapshot().deleted.map(({ fact }) => fact);

async function addAll(...notes: string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const text of notes) ids.push((await book.add({ text })).fact.id);
  return ids;
}

describe("the state of a fact book", () => {
  it("is loading first, then ready", async () => {
    const opened = device.open();
    expect((await opened).getSnapshot()).toMatchObject({
      status: "ready",
      facts: [],
      pinned: 0,
      deleted: [],
      removals: [],
    });
  });

  it("lists pinned facts first, then projects, preferences and identity, each by recency", async () => {
    await addAll("I live in Lisbon", "I prefer dark mode");
    device.clock.pass(1);
    await addAll("Deploy on Fridays", "I prefer short answers", "Ship the beta");
    await book.pin(book.getSnapshot().index.identity[0]?.id ?? "", true);
    expect(texts().slice(0, 1)).toEqual(["I live in Lisbon"]);
    expect(texts().slice(1, 3).toSorted()).toEqual(["Deploy on Fridays", "Ship the beta"]);
    expect(texts().slice(3)).toEqual(["I prefer short answers", "I prefer dark mode"]);
    expect(book.getSnapshot().pinned).toBe(1);
  });

  it("has the history of a fact that was replaced, and can go back to it", async () => {
    await addAll("I live in Lisbon");
    device.clock.pass(1);
    const { fact, outcome } = await book.add({ text: "I live in Oslo now" });
    expect(outcome).toBe("replaced");
    const { past } = book.getSnapshot();
    expect(past.map(({ fact: text }) => text)).toEqual(["I live in Lisbon"]);
    expect(fact.updatesFactId).toBe(past[0]?.id);
    await book.revert([fact.id]);
    expect(texts()).toEqual(["I live in Lisbon"]);
    expect(book.getSnapshot().past).toEqual([]);
    expect(deleted()).toEqual(["I live in Oslo now"]);
  });

  it("is the same object until something changes", async () => {
    await addAll("I live in Lisbon");
    const before = book.getSnapshot();
    let told = 0;
    book.subscribe(() => {
      told += 1;
    });
    await book.refresh();
    expect(book.getSnapshot()).toBe(before);
    expect(told).toBe(0);
    await addAll("I prefer dark mode");
    expect(book.getSnapshot().facts).toContain(before.facts[0]);
  });

  it("includes changes of another tab after a refresh", async () => {
    const other = await device.open();
    await other.add({ text: "I live in Lisbon" });
    expect(texts()).toEqual([]);
    await book.refresh();
    expect(texts()).toEqual(["I live in Lisbon"]);
  });
});

describe("add", () => {
  it("keeps the text verbatim with confidence 0.6, and reports the outcome", async () => {
    const { fact, outcome } = await book.add({ text: "  I prefer dark mode " });
    expect(outcome).toBe("added");
    expect(fact).toMatchObject({ fact: "I prefer dark mode", category: "preference", confidence: 0.6 });
    expect(book.getSnapshot().saved).toEqual({ id: fact.id, at: device.clock.now() });
    expect(await book.add({ text: "User prefers dark mode" })).toMatchObject({
      outcome: "merged",
      fact: { id: fact.id },
    });
    expect((await book.add({ text: "I live in Rome" })).outcome).toBe("added");
    expect(await book.add({ text: "I live in Oslo" })).toMatchObject({ outcome: "replaced" });
  });

  it("keeps the source of selected text and counts it as saved by hand", async () => {
    const source = { conversationId: "c1", messageId: "m7" };
    const { fact } = await book.add({ text: "Use a write-ahead log", source });
    const place = { lastSeenConversationId: "c1", lastSeenMessageId: "m7", quote: "Use a write-ahead log" };
    expect(fact).toMatchObject({ confidence: 0.6, ...place });
    expect(book.getSnapshot().facts).toEqual([fact]);
  });

  it("classifies with the model, and with rules if the model does not know or fails", async () => {
    const asked = await device.open({ classify: async () => "identity" });
    expect((await asked.add({ text: "Ship the beta" })).fact.category).toBe("identity");
    const silent = await device.open({ classify: async () => undefined });
    expect((await silent.add({ text: "I prefer tea" })).fact.category).toBe("preference");
    const failing = await device.open({ classify: () => Promise.reject(new Error("no model")) });
    expect((await failing.add({ text: "I work as a nurse" })).fact.category).toBe("identity");
    expect((await asked.add({ text: "Walk the dog", category: "project" })).fact.category).toBe("project");
  });

  it("refuses a secret with a message that does not repeat it", async () => {
    const refused = book.add({ text: "my key is sk-proj-abcdEFGH1234567890abcdEFGH1234567890abcdEFGH12" });
    await expect(refused).rejects.toThrow(SecretRefusedError);
    await expect(refused).rejects.toThrow(/not saved.*looks like a secret/);
    await expect(book.add({ text: " " })).rejects.toThrow(InvalidOptionError);
    expect(book.getSnapshot()).toMatchObject({ status: "ready", facts: [] });
  });
});

describe("edit and pin", () => {
  it("show a change at once, store it and mark it as saved", async () => {
    const [id = ""] = await addAll("I live in Lisbon");
    device.clock.pass(5);
    const saving = book.edit(id, { text: "I live in Porto", category: "project" });
    expect(book.getSnapshot().facts).toMatchObject([{ fact: "I live in Porto", category: "project" }]);
    await saving;
    expect(book.getSnapshot().saved).toEqual({ id, at: device.clock.now() });
    expect(await device.memory.get(id)).toMatchObject({ category: "project", levels: { full: "I live in Porto" } });
  });

  it("roll back if the store refuses", async () => {
    const [id = ""] = await addAll("I live in Lisbon");
    const before = book.getSnapshot();
    await expect(book.edit(id, { text: "  " })).rejects.toThrow(InvalidOptionError);
    await expect(book.edit(id, { text: "password: hunter2hunter2" })).rejects.toThrow(SecretRefusedError);
    await expect(book.edit("nobody", { text: "x" })).rejects.toThrow(NotFoundError);
    expect(book.getSnapshot()).toEqual(before);
  });

  it("store nothing if nothing changed", async () => {
    const [id = ""] = await addAll("I live in Lisbon");
    const before = book.getSnapshot();
    device.clock.pass(5);
    await book.edit(id, { text: "I live in Lisbon ", category: "identity" });
    expect(book.getSnapshot()).toBe(before);
  });

  it("keep pending changes during a refresh", async () => {
    const [id = ""] = await addAll("I live in Lisbon");
    const gate = Promise.withResolvers<void>();
    const slow = withVerbs(device.memory, {
      update: async (...update) => {
        await gate.promise;
        return device.memory.update(...update);
      },
    });
    book = await device.open({ memory: slow });
    const saving = book.edit(id, { text: "I live in Porto" });
    const reading = book.refresh();
    expect(texts()).toEqual(["I live in Porto"]);
    gate.resolve();
    await Promise.all([saving, reading]);
    expect(texts()).toEqual(["I live in Porto"]);
  });

  it("pin ten facts and refuse the eleventh", async () => {
    const ids = await addAll(...Array.from({ length: 11 }, (_, n) => `Finish part ${n} of the plan`));
    for (const id of ids.slice(0, 10)) await book.pin(id, true);
    expect(book.getSnapshot().pinned).toBe(10);
    await expect(book.pin(ids[10] ?? "", true)).rejects.toThrow(InvalidOptionError);
    expect(book.getSnapshot()).toMatchObject({ pinned: 10, status: "ready" });
    await book.pin(ids[0] ?? "", false);
    await book.pin(ids[10] ?? "", true);
    expect(book.getSnapshot().pinned).toBe(10);
  });
});

describe("remove", () => {
  it("is visible at once and can be undone for four seconds", async () => {
    const ids = await addAll("I live in Lisbon", "I prefer tea");
    await book.pin(ids[0] ?? "", true);
    const before = book.getSnapshot().facts;
    const removing = book.remove(ids);
    expect(book.getSnapshot()).toMatchObject({
      facts: [],
      removals: [{ facts: before, remaining: 4_000, isPaused: false }],
    });
    const removal = await removing;
    device.clock.pass(3_999);
    expect(book.getSnapshot().removals).toEqual([removal]);
    await book.undoRemoval(removal?.id ?? "");
    expect(book.getSnapshot()).toMatchObject({ facts: before, removals: [], deleted: [] });
  });

  it("expires after four seconds, and facts can be restored later", async () => {
    const [id = ""] = await addAll("I live in Lisbon");
    const removal = await book.remove([id]);
    device.clock.pass(4_000);
    expect(book.getSnapshot().removals).toEqual([]);
    await expect(book.undoRemoval(removal?.id ?? "")).rejects.toThrow(NotFoundError);
    expect(deleted()).toEqual(["I live in Lisbon"]);
    await book.bringBack(id);
    expect([texts(), deleted()]).toEqual([["I live in Lisbon"], []]);
  });

  it("does not expire while it is paused", async () => {
    const [id = ""] = await addAll("I live in Lisbon");
    const removal = await book.remove([id]);
    device.clock.pass(1_500);
    book.pauseRemoval(removal?.id ?? "");
    device.clock.pass(60_000);
    expect(book.getSnapshot().removals).toMatchObject([{ remaining: 2_500, isPaused: true }]);
    book.resumeRemoval(removal?.id ?? "");
    device.clock.pass(2_499);
    expect(book.getSnapshot().removals).toMatchObject([{ isPaused: false }]);
    device.clock.pass(1);
    expect(book.getSnapshot().removals).toEqual([]);
  });

  it("is undone latest first", async () => {
    const [a = "", b = ""] = await addAll("I live in Lisbon", "I prefer tea");
    await book.remove([a]);
    await book.remove([b]);
    expect(await book.undoLatest()).toBe(true);
    expect(texts()).toEqual(["I prefer tea"]);
    expect(await book.undoLatest()).toBe(true);
    expect(await book.undoLatest()).toBe(false);
    expect(texts()).toEqual(["I prefer tea", "I live in Lisbon"]);
  });

  it("can be undone before it is stored", async () => {
    const [id = ""] = await addAll("I live in Lisbon");
    const removing = book.remove([id]);
    const undoing = book.undoLatest();
    expect(texts()).toEqual(["I live in Lisbon"]);
    await Promise.all([removing, undoing]);
    expect(texts()).toEqual(["I live in Lisbon"]);
    expect((await device.memory.get(id))?.archivedAt).toBeUndefined();
  });

  it("does nothing without ids", async () => {
    expect(await book.remove(["nobody"])).toBeUndefined();
    await expect(book.bringBack("nobody")).rejects.toThrow(NotFoundError);
  });

  it("lists deleted facts latest first, without replaced ones", async () => {
    const [a = "", b = ""] = await addAll("I prefer tea", "I live in Rome", "I live in Oslo");
    await book.remove([a]);
    device.clock.pass(1);
    await book.remove(book.getSnapshot().facts.map(({ id }) => id));
    expect(deleted()).toEqual(["I live in Oslo", "I prefer tea"]);
    expect((await device.memory.get(b))?.validTo).toBeDefined();
  });
});

describe("an unavailable store", () => {
  it("is described in one sentence, and the shown facts stay", async () => {
    const [id = ""] = await addAll("I live in Lisbon");
    let isGone = false;
    const unlessGone =
      <A extends unknown[], R>(verb: (...input: A) => Promise<R>) =>
      async (...input: A) => {
        if (isGone) throw new Error("The database connection is closing");
        return verb(...input);
      };
    const memory = withVerbs(device.memory, {
      list: unlessGone((options) => device.memory.list(options)),
      forget: unlessGone((one) => device.memory.forget(one)),
    });
    book = await device.open({ memory });
    isGone = true;
    await expect(book.remove([id])).rejects.toThrow(StoreError);
    expect(book.getSnapshot()).toMatchObject({ status: "failed", removals: [], deleted: [] });
    expect(book.getSnapshot().problem).toMatch(/unavailable right now.*keep chatting/);
    expect(texts()).toEqual(["I live in Lisbon"]);
    isGone = false;
    await book.refresh();
    expect(book.getSnapshot().status).toBe("ready");
    expect(book.getSnapshot()).not.toHaveProperty("problem");
  });

  it("is described if it was never available", async () => {
    const gone = () => Promise.reject(new StoreError("newer-version", "It is of version 9."));
    book = await device.open({ memory: withVerbs(device.memory, { list: gone }) });
    expect(book.getSnapshot()).toMatchObject({ status: "failed", facts: [] });
    expect(book.getSnapshot().problem).toMatch(/newer version/);
  });

  it("keeps the deletions that succeeded before it failed", async () => {
    const ids = await addAll("I live in Lisbon", "I prefer tea");
    let left = 1;
    const memory = withVerbs(device.memory, {
      forget: async (id) => {
        left -= 1;
        if (left < 0) throw new StoreError("full", "The disk is full.");
        return device.memory.forget(id);
      },
    });
    book = await device.open({ memory });
    await expect(book.remove(ids)).rejects.toThrow("The disk is full.");
    expect(book.getSnapshot()).toMatchObject({ facts: [{}], deleted: [{}], removals: [{ facts: [{}] }] });
    expect(book.getSnapshot().problem).toMatch(/no space left/);
    await book.undoLatest();
    expect(texts()).toHaveLength(2);
  });
});
