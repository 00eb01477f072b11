import { beforeEach, describe, expect, it } from "vitest";
import { type Device, openDevice, withVerbs } from "./fact-book.fixture.ts";
import type { FactBook } from "./fact-book.ts";
import type { StoredText } from "./removals.ts";

let device: Device;
let unfinished: StoredText & { text?: string | undefined };
const open = () => device.open({ unfinished });
/** Simulates a tab that is closed right after an action starts: the store receives nothing. */
const openDoomed = () => {
  const never = () => new Promise<never>(() => undefined);
  return device.open({ unfinished, memory: withVerbs(device.memory, { forget: never, update: never }) });
};
const known = (book: FactBook) => {
  const { facts, deleted } = book.getSnapshot();
  return { facts: facts.map(({ fact }) => fact), deleted: deleted.map(({ fact }) => fact) };
};
const idsOf = (book: FactBook) => book.getSnapshot().facts.map(({ id }) => id);

beforeEach(async () => {
  device = await openDevice();
  unfinished = {
    read: () => unfinished.text,
    write: (text) => {
      unfinished.text = text;
    },
  };
  await (await open()).add({ text: "I live in Lisbon" });
});

describe("a tab that is closed before a change is stored", () => {
  it("leaves deleted facts deleted", async () => {
    const doomed = await openDoomed();
    void doomed.remove(idsOf(doomed));
    expect(known(await open())).toEqual({ facts: [], deleted: ["I live in Lisbon"] });
    expect(unfinished.text).toBeUndefined();
  });

  it("leaves restored facts restored, with their pins", async () => {
    const book = await open();
    const [id = ""] = idsOf(book);
    await book.pin(id, true);
    const { id: removal = "" } = (await book.remove([id])) ?? {};
    const undo = book.undoRemoval(removal);
    const mark = unfinished.text;
    await undo;
    await book.remove([id]);
    unfinished.text = mark;
    const next = await open();
    expect(next.getSnapshot().facts).toMatchObject([{ id, pinned: true }]);
  });

  it.each([true, false])("leaves a fact pinned or unpinned, as last shown (%s)", async (pinned) => {
    const book = await open();
    const [id = ""] = idsOf(book);
    await book.pin(id, !pinned);
    const doomed = await openDoomed();
    void doomed.pin(id, !pinned);
    void doomed.pin(id, pinned);
    expect((await open()).getSnapshot().facts).toMatchObject([{ id, pinned }]);
    expect(unfinished.text).toBeUndefined();
  });

  it("leaves a fact in its new category, with its pin", async () => {
    const doomed = await openDoomed();
    const [id = ""] = idsOf(doomed);
    void doomed.pin(id, true);
    void doomed.edit(id, { category: "preference" });
    void doomed.edit(id, { category: "project" });
    expect((await open()).getSnapshot().facts).toMatchObject([{ id, category: "project", pinned: true }]);
    expect(unfinished.text).toBeUndefined();
  });

  it("drops an eleventh pin", async () => {
    const book = await open();
    const parts = Array.from({ length: 10 }, (_, n) => `Finish part ${n} of the plan`);
    for (const text of parts) await book.pin((await book.add({ text })).fact.id, true);
    const doomed = await openDoomed();
    const other = doomed.getSnapshot().facts.find(({ pinned }) => !pinned)?.id ?? "";
    void doomed.pin(other, true);
    expect(unfinished.text).toBeUndefined();
    // Another tab may have written last.
    unfinished.text = JSON.stringify([[other, "pinned"]]);
    expect((await open()).getSnapshot()).toMatchObject({ status: "ready", pinned: 10 });
    expect(unfinished.text).toBeUndefined();
  });

  it("changes nothing if the memory was erased or the record is invalid", async () => {
    const doomed = await openDoomed();
    void doomed.remove(idsOf(doomed));
    await device.memory.purge(idsOf(doomed));
    for (const text of [unfinished.text, "{", "[]", '{"a":"deleted"}', '[["a","elsewhere"],["a"],1]']) {
      unfinished.text = text;
      expect((await open()).getSnapshot()).toMatchObject({ status: "ready", facts: [] });
    }
  });
});

describe("a local storage that throws", () => {
  it("does not prevent deleting", async () => {
    const refuse = () => {
      throw new Error("The quota is exceeded");
    };
    const book = await device.open({ unfinished: { read: refuse, write: refuse } });
    await book.remove(idsOf(book));
    expect(known(book)).toEqual({ facts: [], deleted: ["I live in Lisbon"] });
  });

  it("is empty once everything is stored", async () => {
    const book = await open();
    await book.remove(idsOf(book));
    expect(unfinished.text).toBeUndefined();
  });
});
