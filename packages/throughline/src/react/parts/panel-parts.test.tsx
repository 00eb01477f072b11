// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import "../patient-queries.fixture.ts";
import { openDevice } from "../../chat/fact-book/fact-book.fixture.ts";
import type { FactBook } from "../../chat/fact-book/fact-book.ts";
import { ClearingBar, ClearMemory, RemovalNotice } from "./clear-memory.tsx";
import { SavedMark } from "./fact-card.tsx";
import { type AddedFact, FactComposer } from "./fact-composer.tsx";
import { MemoryPill } from "./memory-pill.tsx";

afterEach(cleanup);
afterEach(() => {
  vi.useRealTimers();
});

/** Stops the clock, so that a slow machine reads the same time everywhere. */
function stopClock(): number {
  vi.useFakeTimers({ toFake: ["Date"] });
  return Date.now();
}

/** The words that ship with the package are read from a file, which a page does not have. */
const embedder = {
  name: "none",
  dimensions: 1,
  embed: async (texts: readonly string[]) => texts.map(() => new Float32Array([1])),
};

const openBook = async () => (await openDevice({ embedder })).open();

function Composer({ book }: { readonly book: FactBook }) {
  const [text, setText] = useState("");
  const sayAdded = ({ fact, outcome }: AddedFact) => `${outcome} as ${fact.category}`;
  return <FactComposer book={book} text={text} onTextChange={setText} sayAdded={sayAdded} />;
}

describe("the pill", () => {
  it.each([
    [0, "0 memories"],
    [1, "1 memory"],
    [12, "12 memories"],
    [undefined, "Memories"],
  ])("counts %s as “%s”", (count, name) => {
    render(<MemoryPill count={count} isOpen={false} onOpen={() => undefined} />);
    const pill = screen.getByRole("button", { name });
    expect([pill.getAttribute("aria-haspopup"), pill.getAttribute("aria-expanded")]).toEqual(["dialog", "false"]);
    expect(pill.textContent).toBe(`${name} ↗`);
  });
});

describe("the composer", () => {
  it("takes its message back when the saved fact is deleted", async () => {
    const book = await openBook();
    render(<Composer book={book} />);
    const input = screen.getByRole("textbox", { name: "Remember something" });
    fireEvent.change(input, { target: { value: "I prefer short answers" } });
    fireEvent.click(screen.getByRole("button", { name: "Remember" }));
    await screen.findByText("added as preference");
    const [fact] = book.getSnapshot().facts;
    await act(() => book.remove([fact?.id ?? ""]));
    await waitFor(() => expect(screen.queryByText("added as preference")).toBeNull());
  });

  it("saves the text, reports the category, and is cleared", async () => {
    const book = await openBook();
    render(<Composer book={book} />);
    const input = screen.getByRole<HTMLInputElement>("textbox", { name: "Remember something" });
    expect(input.placeholder).toBe("+ Remember something…");
    fireEvent.change(input, { target: { value: " I prefer tea " } });
    fireEvent.click(screen.getByRole("button", { name: "Remember" }));
    await waitFor(() => expect(screen.getByRole("status").textContent).toBe("added as preference"));
    expect(book.getSnapshot().facts).toMatchObject([{ fact: "I prefer tea", category: "preference" }]);
    expect(input.value).toBe("");
  });

  it("keeps refused text, with the reason", async () => {
    const book = await openBook();
    render(<Composer book={book} />);
    const input = screen.getByRole<HTMLInputElement>("textbox");
    const secret = `My key is sk-ant-api03-${"aB3dE5fG7h".repeat(9)}`;
    fireEvent.change(input, { target: { value: secret } });
    fireEvent.click(screen.getByRole("button", { name: "Remember" }));
    await waitFor(() => expect(screen.getByRole("status").getAttribute("data-problem")).toBe("true"));
    expect(input.value).toBe(secret);
    expect(book.getSnapshot().facts).toEqual([]);
    fireEvent.click(screen.getByRole("button", { name: "Save anyway" }));
    await waitFor(() => expect(input.value).toBe(""));
    expect(book.getSnapshot().facts).toMatchObject([{ fact: secret }]);
  });
});

describe("clearing all", () => {
  it("asks inline with the exact count, focuses Cancel, and treats Escape as Cancel", () => {
    let cleared = 0;
    render(<ClearMemory count={12} onClear={() => cleared++} />);
    fireEvent.click(screen.getByRole("button", { name: "Clear all memory" }));
    expect(screen.getByText("This will remove all 12 facts")).toBeTruthy();
    expect(document.activeElement?.textContent).toBe("Cancel");
    fireEvent.keyDown(screen.getByRole("button", { name: "Cancel" }), { key: "Escape" });
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Clear all memory" }));
    fireEvent.click(screen.getByRole("button", { name: "Clear all memory" }));
    fireEvent.click(screen.getByRole("button", { name: "Clear" }));
    expect(cleared).toBe(1);
  });

  it("shows the remaining undo time", () => {
    const now = stopClock();
    const clearing = { count: 12, startedAt: now - 4_000, endsAt: now + 4_000 };
    render(<ClearingBar clearing={clearing} onUndo={() => undefined} />);
    expect(screen.getByRole("status").textContent).toBe("Memory cleared");
    const bar = screen.getByRole("progressbar", { name: "Time left to undo" });
    expect([bar.getAttribute("aria-valuenow"), bar.getAttribute("aria-valuemax")]).toEqual(["4", "8"]);
    expect(screen.getByRole("button", { name: "Undo" })).toBeTruthy();
  });
});

describe("the notice of a removal", () => {
  it("pauses on hover and focus, and resumes afterwards", async () => {
    const book = await openBook();
    const { fact } = await book.add({ text: "I prefer tea" });
    const removal = await book.remove([fact.id]);
    if (!removal) throw new Error("nothing was removed");
    const isPaused = () => book.getSnapshot().removals.map((one) => one.isPaused);
    const { unmount } = render(<RemovalNotice book={book} removal={removal} />);
    const notice = screen.getByText("Deleted “Prefers tea”");
    fireEvent.mouseEnter(notice.parentElement as Element);
    expect(isPaused()).toEqual([true]);
    act(() => screen.getByRole("button", { name: "Undo" }).focus());
    fireEvent.mouseLeave(notice.parentElement as Element);
    expect(isPaused()).toEqual([true]);
    act(() => screen.getByRole("button", { name: "Undo" }).blur());
    expect(isPaused()).toEqual([false]);
    fireEvent.mouseEnter(notice.parentElement as Element);
    unmount();
    expect(isPaused()).toEqual([false]);
    book.close();
  });

  it("brings back what was deleted", async () => {
    const book = await openBook();
    const added = [await book.add({ text: "I prefer tea" }), await book.add({ text: "My name is Ann" })];
    const removal = await book.remove(added.map(({ fact }) => fact.id));
    if (!removal) throw new Error("nothing was removed");
    render(<RemovalNotice book={book} removal={removal} />);
    expect(screen.getByText("Deleted 2 memories")).toBeTruthy();
    fireEvent.click(screen.getByRole("button", { name: "Undo" }));
    await waitFor(() => expect(book.getSnapshot().facts).toHaveLength(2));
    book.close();
  });
});

describe("the mark of a saved card", () => {
  it("appears after saving, and not for older facts", () => {
    const now = stopClock();
    render(<SavedMark savedAt={now} />);
    expect(screen.getByText("Saved")).toBeTruthy();
    cleanup();
    render(<SavedMark savedAt={now - 60_000} />);
    expect(screen.queryByText("Saved")).toBeNull();
  });
});
