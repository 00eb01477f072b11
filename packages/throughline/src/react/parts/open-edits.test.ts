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

describe("edits that are open", () => {
  it("keep what is written when the fact changes elsewhere, and say so", async () => {
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

  it("remember a fact anew that was deleted in the meantime", async () => {
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

  it("begin with the text that the card shows, and change nothing if it stays", async () => {
    const { book, fact, edits } = await openWith("I live in Lisbon");
    edits.open(fact, "line");
    expect(edits.getSnapshot().get(fact.id)?.text).toBe("Lives in Lisbon");
    expect(await edits.save(fact.id)).toBe(fact.id);
    expect(book.getSnapshot().facts).toEqual([fact]);
  });

  it("stay open with the reason if nothing can be saved", async () => {
    const { book, fact, edits } = await openWith("I live in Lisbon");
    edits.open(fact, "line");
    edits.write(fact.id, { text: "  " });
    expect(await edits.save(fact.id)).toBeUndefined();
    expect(edits.getSnapshot().get(fact.id)?.problem).toBe("Memory can't be empty.");
    edits.write(fact.id, { text: "I live in Porto" });
    expect(edits.getSnapshot().get(fact.id)?.problem).toBeUndefined();
    expect(book.getSnapshot().facts).toEqual([fact]);
  });

  it("keep what is written when they are expanded, and ask for the focus once each time", async () => {
    const { fact, edits } = await openWith("I live in Lisbon");
    edits.open(fact, "line");
    expect([edits.takeFocus(fact.id), edits.takeFocus(fact.id)]).toEqual([true, false]);
    edits.write(fact.id, { text: "I live in Porto" });
    edits.open(fact, "full");
    expect(edits.getSnapshot().get(fact.id)).toMatchObject({ mode: "full", text: "I live in Porto" });
    expect(edits.takeFocus(fact.id)).toBe(true);
  });

  it("are closed by leaving only if nothing was changed", async () => {
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

  it("ticks all from the last one touched to the one with Shift, in either direction", () => {
    fc.assert(
      fc.property(anyId, anyId, (from, to) => {
        const { ids } = extendTo(toggleFact(NOTHING_SELECTED, from), to, shown);
        const [low, high] = [shown.indexOf(from), shown.indexOf(to)].sort((a, b) => a - b);
        expect([...ids].sort()).toEqual(shown.slice(low, Number(high) + 1));
      }),
    );
  });

  it("is as before when one is ticked and unticked", () => {
    const [before] = [toggleFact(NOTHING_SELECTED, "b")];
    expect(toggleFact(toggleFact(before, "d"), "d").ids).toEqual(before.ids);
  });

  it("lets go of what is no longer shown", () => {
    const selection = extendTo(toggleFact(NOTHING_SELECTED, "a"), "c", shown);
    expect([...keepShown(selection, ["b", "c", "d"]).ids]).toEqual(["b", "c"]);
    expect(keepShown(selection, shown)).toBe(selection);
  });
});
