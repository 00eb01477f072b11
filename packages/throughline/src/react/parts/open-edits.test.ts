import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openDevice } from "../../chat/fact-book/fact-book.fixture.ts";
import { extendTo, keepShown, NOTHING_SELECTED, toggleFact } from "./fact-list.tsx";
import { explainMeanwhile, keepOpenEdits, OpenEdits } from "./open-edits.ts";

async function openWith(text: string) {
  const device = await openDevice();
  const book = await device.open();
  const { fact } = await book.add({ text });
  return { device, book, fact, edits: new OpenEdits(book) };
}

describe("open edits", () => {
  it("keep their text when the fact changes elsewhere, with a notice", async () => {
    const { device, book, fact, edits } = await openWith("I live in Lisbon");
    edits.open(fact, "line");
    edits.write(fact.id, { text: "I live in Porto" });
    const other = await device.open();
    await other.edit(fact.id, { text: "I live in Faro", category: "project" });
    await book.refresh();
    const [shown] = keepOpenEdits(book.getSnapshot().facts, edits.getSnapshot());
    const edit = edits.getSnapshot().get(fact.id);
    expect(shown).toEqual(fact);
    expect(edit?.text).toBe("I live in Porto");
    expect(edit && explainMeanwhile(edit, book.getSnapshot().facts[0])).toBe("Changed elsewhere to “Lives in Faro”");
  });

  it("save a fact again that was deleted meanwhile", async () => {
    const { device, book, fact, edits } = await openWith("I live in Lisbon");
    edits.open(fact, "line");
    edits.write(fact.id, { text: "I live in Porto" });
    await (await device.open()).remove([fact.id]);
    await book.refresh();
    expect(keepOpenEdits(book.getSnapshot().facts, edits.getSnapshot())).toEqual([fact]);
    const savedId = await edits.save(fact.id);
    expect(book.getSnapshot().facts).toMatchObject([{ id: savedId, fact: "I live in Porto" }]);
    expect(edits.getSnapshot().size).toBe(0);
  });

  it("start with the text of the card, and save nothing without a change", async () => {
    const { book, fact, edits } = await openWith("I live in Lisbon");
    edits.open(fact, "line");
    expect(edits.getSnapshot().get(fact.id)?.text).toBe("Lives in Lisbon");
    expect(await edits.save(fact.id)).toBe(fact.id);
    expect(book.getSnapshot().facts).toEqual([fact]);
  });

  it("stay open with the reason if saving fails", async () => {
    const { book, fact, edits } = await openWith("I live in Lisbon");
    edits.open(fact, "line");
    edits.write(fact.id, { text: "  " });
    expect(await edits.save(fact.id)).toBeUndefined();
    expect(edits.getSnapshot().get(fact.id)?.problem).toBe("Memory can't be empty.");
    edits.write(fact.id, { text: "I live in Porto" });
    expect(edits.getSnapshot().get(fact.id)?.problem).toBeUndefined();
    expect(book.getSnapshot().facts).toEqual([fact]);
  });

  it("keep their text when expanded, and request the focus once", async () => {
    const { fact, edits } = await openWith("I live in Lisbon");
    edits.open(fact, "line");
    expect([edits.takeFocus(fact.id), edits.takeFocus(fact.id)]).toEqual([true, false]);
    edits.write(fact.id, { text: "I live in Porto" });
    edits.open(fact, "full");
    expect(edits.getSnapshot().get(fact.id)).toMatchObject({ mode: "full", text: "I live in Porto" });
    expect(edits.takeFocus(fact.id)).toBe(true);
  });

  it("close on blur only without changes", async () => {
    const { fact, edits } = await openWith("I live in Lisbon");
    edits.open(fact, "line");
    edits.write(fact.id, { text: "I live in Porto" });
    edits.leave(fact.id);
    expect(edits.getSnapshot().size).toBe(1);
    edits.write(fact.id, { text: "I live in Lisbon " });
    edits.leave(fact.id);
    expect(edits.getSnapshot().size).toBe(0);
  });
});

describe("a selection", () => {
  const shown = ["a", "b", "c", "d", "e", "f"];
  const anyId = fc.constantFrom(...shown);

  it("selects the range up to the card clicked with Shift, in either direction", () => {
    fc.assert(
      fc.property(anyId, anyId, (from, to) => {
        const { ids } = extendTo(toggleFact(NOTHING_SELECTED, from), to, shown);
        const [low, high] = [shown.indexOf(from), shown.indexOf(to)].sort((a, b) => a - b);
        expect([...ids].sort()).toEqual(shown.slice(low, Number(high) + 1));
      }),
    );
  });

  it("is unchanged after selecting and unselecting a card", () => {
    const [before] = [toggleFact(NOTHING_SELECTED, "b")];
    expect(toggleFact(toggleFact(before, "d"), "d").ids).toEqual(before.ids);
  });

  it("drops hidden cards", () => {
    const selection = extendTo(toggleFact(NOTHING_SELECTED, "a"), "c", shown);
    expect([...keepShown(selection, ["b", "c", "d"]).ids]).toEqual(["b", "c"]);
    expect(keepShown(selection, shown)).toBe(selection);
  });
});
