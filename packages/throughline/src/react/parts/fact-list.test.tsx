// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState, useSyncExternalStore } from "react";
import { afterEach, describe, expect, it } from "vitest";
import "../patient-queries.fixture.ts";
import { openDevice } from "../../chat/fact-book/fact-book.fixture.ts";
import type { MemoryFact } from "../../chat/memory-fact.ts";
import { FactCard, type FactCardActions, type FactCardLook } from "./fact-card.tsx";
import { FactList } from "./fact-list.tsx";
import { OpenEdits } from "./open-edits.ts";

afterEach(cleanup);

const look: FactCardLook = {
  categories: {
    project: { label: "Work", icon: "▣" },
    preference: { label: "Preference", icon: "≡" },
    identity: { label: "You", icon: "☺" },
  },
  icons: { pin: "p", unpin: "u", expand: "e", remove: "x" },
};

function makeFact(id: string): MemoryFact {
  const seen = { firstSeen: 1, lastSeen: 1, lastSeenConversationId: "", mentionCount: 1 };
  return { id, fact: `Fact ${id}`, category: "project", confidence: 0.75, pinned: false, ...seen };
}

interface PanelProps {
  readonly ids: readonly string[];
  readonly edits: OpenEdits;
  readonly actions: FactCardActions;
  readonly done: string[];
  readonly isSelecting: boolean;
}

function Panel({ ids, edits, actions, done, isSelecting }: PanelProps) {
  const open = useSyncExternalStore(edits.subscribe, edits.getSnapshot);
  const [facts] = useState(() => ids.map(makeFact));
  return (
    <FactList ids={ids} onCommand={(command, id) => done.push(`${command} ${id}`)}>
      {(activeId) => (
        <ul>
          {facts.map((fact) => (
            <FactCard
              key={fact.id}
              fact={fact}
              look={look}
              actions={actions}
              isActive={fact.id === activeId}
              edit={open.get(fact.id)}
              isSelected={isSelecting ? false : undefined}
            />
          ))}
        </ul>
      )}
    </FactList>
  );
}

/** A panel over an empty book, which records the actions of the cards. */
async function openPanel(ids: readonly string[], isSelecting = false) {
  const edits = new OpenEdits(await (await openDevice()).open());
  const done: string[] = [];
  const actions: FactCardActions = {
    edit: (fact, mode) => edits.open(fact, mode),
    expand(id) {
      const edit = edits.getSnapshot().get(id);
      if (edit) edits.open(edit.fact, "full");
    },
    write: (id, change) => edits.write(id, change),
    save: (id) => {
      done.push(`save ${edits.getSnapshot().get(id)?.text}`);
      edits.cancel(id);
    },
    cancel: (id) => edits.cancel(id),
    leave: (id) => edits.leave(id),
    takeFocus: (id) => edits.takeFocus(id),
    pin: ({ id }) => done.push(`pin ${id}`),
    remove: ({ id }) => done.push(`remove ${id}`),
    select: ({ id }, isRange) => done.push(`select ${id}${isRange ? " range" : ""}`),
  };
  render(<Panel ids={ids} edits={edits} actions={actions} done={done} isSelecting={isSelecting} />);
  return { done, edits };
}

const card = (id: string) => screen.getByRole("button", { name: `Fact ${id}` });
const field = () => screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Edit memory" });

describe("a list of facts", () => {
  it("has a roving tab stop that the arrow keys move", async () => {
    await openPanel(["a", "b", "c"]);
    const places = () => ["a", "b", "c"].map((id) => card(id).tabIndex);
    expect(places()).toEqual([0, -1, -1]);
    card("a").focus();
    fireEvent.keyDown(card("a"), { key: "ArrowDown" });
    expect(document.activeElement).toBe(card("b"));
    expect(places()).toEqual([-1, 0, -1]);
    fireEvent.keyDown(card("b"), { key: "End" });
    fireEvent.keyDown(card("c"), { key: "ArrowDown" });
    expect(document.activeElement).toBe(card("c"));
    fireEvent.keyDown(card("c"), { key: "Home" });
    expect(document.activeElement).toBe(card("a"));
  });

  it("reports the action of a key, and ignores keys with Ctrl and keys in a field", async () => {
    const { done } = await openPanel(["a", "b"]);
    for (const key of ["p", "P", "Delete", "Backspace", "x"]) fireEvent.keyDown(card("b"), { key });
    fireEvent.keyDown(card("b"), { key: "Enter", shiftKey: true });
    fireEvent.keyDown(card("b"), { key: "p", ctrlKey: true });
    expect(done).toEqual(["pin b", "pin b", "remove b", "remove b", "expand b"]);
    fireEvent.click(card("a"));
    for (const key of ["p", "Delete", "ArrowDown"]) fireEvent.keyDown(field(), { key });
    expect(done).toHaveLength(5);
    expect(document.activeElement).toBe(field());
  });

  it("selects with a click, and a range with Shift", async () => {
    const { done } = await openPanel(["a", "b"], true);
    const box = screen.getByRole("checkbox", { name: "Fact b" });
    fireEvent.click(box);
    fireEvent.click(box, { shiftKey: true });
    expect(done).toEqual(["select b", "select b range"]);
    expect(screen.queryByRole("button", { name: /Delete/ })).toBeNull();
  });
});

describe("a card", () => {
  it("opens for editing with the first click, saves with Enter and keeps the focus", async () => {
    const { done } = await openPanel(["a", "b"]);
    card("b").focus();
    fireEvent.click(card("b"));
    expect(document.activeElement).toBe(field());
    fireEvent.change(field(), { target: { value: "Another" } });
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(done).toEqual(["save Another"]);
    expect(document.activeElement).toBe(card("b"));
  });

  it("cancels with Escape without closing a surrounding dialog", async () => {
    await openPanel(["a"]);
    const heard: string[] = [];
    document.addEventListener("keydown", ({ key }) => heard.push(key), { once: true });
    fireEvent.click(card("a"));
    fireEvent.change(field(), { target: { value: "Another" } });
    fireEvent.keyDown(field(), { key: "Escape" });
    expect(card("a").textContent).toBe("Fact a");
    expect(heard).toEqual([]);
  });

  it("expands with a double click that opened it, not with one that marks a word", async () => {
    await openPanel(["a"]);
    fireEvent.mouseDown(card("a"), { detail: 1 });
    fireEvent.click(card("a"));
    fireEvent.mouseDown(field(), { detail: 2 });
    fireEvent.doubleClick(field());
    expect(screen.getByRole("radiogroup", { name: "Category" })).toBeTruthy();
    fireEvent.keyDown(field(), { key: "Escape" });
    fireEvent.mouseDown(card("a"), { detail: 1 });
    fireEvent.click(card("a"));
    fireEvent.mouseDown(field(), { detail: 1 });
    fireEvent.doubleClick(field());
    expect(screen.queryByRole("radiogroup", { name: "Category" })).toBeNull();
  });

  it("expands with its button and with Shift+Enter; Enter alone does not save then", async () => {
    const { done, edits } = await openPanel(["a", "b"]);
    fireEvent.click(screen.getByRole("button", { name: "Expand: Fact b" }));
    expect(edits.getSnapshot().get("b")?.mode).toBe("full");
    fireEvent.keyDown(field(), { key: "Enter" });
    expect(done).toEqual([]);
    fireEvent.keyDown(field(), { key: "Enter", ctrlKey: true });
    expect(done).toEqual(["save Fact b"]);
    fireEvent.click(card("a"));
    fireEvent.keyDown(field(), { key: "Enter", shiftKey: true });
    expect(edits.getSnapshot().get("a")?.mode).toBe("full");
  });

  it("shows its category as a word and its confidence as a meter with the same in words", async () => {
    await openPanel(["a"]);
    expect(screen.getByText("Work")).toBeTruthy();
    const meter = screen.getByRole("meter", { name: "Confidence 75%" });
    expect(meter.title).toBe("Confidence 75%");
    expect(meter.getAttribute("aria-valuenow")).toBe("75");
  });
});
