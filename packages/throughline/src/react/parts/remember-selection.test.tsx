// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import "../patient-queries.fixture.ts";
import { type MarkedText, RememberSelection, readMarkedText } from "./remember-selection.tsx";

afterEach(cleanup);

function showMessages() {
  const marked: MarkedText[] = [];
  render(
    <>
      <p data-remember data-message-id="m1">
        I am <b>vegetarian</b>.
      </p>
      <article data-message-id="m2">
        <p data-remember>Noted.</p>
      </article>
      <p data-testid="other">Not a message.</p>
      <RememberSelection onRemember={(one) => marked.push(one)} />
    </>,
  );
  return marked;
}

function mark(from: Node, fromOffset: number, to: Node, toOffset: number): void {
  const range = document.createRange();
  range.setStart(from, fromOffset);
  range.setEnd(to, toOffset);
  document.getSelection()?.removeAllRanges();
  document.getSelection()?.addRange(range);
}

const [first, second] = ['[data-message-id="m1"]', '[data-message-id="m2"] p'];
const find = (selector: string) => document.querySelector(selector) as Element;

describe("text selected in a message", () => {
  it("is read with its message id, across elements, with normalized spaces", () => {
    showMessages();
    mark(find(first), 0, find(first), find(first).childNodes.length);
    expect(readMarkedText(document.getSelection())).toEqual({ text: "I am vegetarian.", messageId: "m1" });
    mark(find(second), 0, find(second), 1);
    expect(readMarkedText(document.getSelection())).toEqual({ text: "Noted.", messageId: "m2" });
  });

  it("excludes the start of the next message after a triple click", () => {
    showMessages();
    mark(find(first), 0, find(second), 0);
    expect(readMarkedText(document.getSelection())).toEqual({ text: "I am vegetarian.", messageId: "m1" });
  });

  it("is ignored outside of messages or across two messages", () => {
    showMessages();
    mark(screen.getByTestId("other"), 0, screen.getByTestId("other"), 1);
    expect(readMarkedText(document.getSelection())).toBeUndefined();
    mark(find(first), 0, find(second), 1);
    expect(readMarkedText(document.getSelection())).toBeUndefined();
  });

  it("shows a button that Tab reaches, and that returns the text and disappears", async () => {
    const marked = showMessages();
    mark(find(first), 0, find(first), find(first).childNodes.length);
    act(() => void document.dispatchEvent(new Event("selectionchange")));
    const button = await waitFor(() => screen.getByRole("button", { name: "🧠 Remember" }));
    fireEvent.keyDown(document.body, { key: "Tab" });
    expect(document.activeElement).toBe(button);
    fireEvent.click(button);
    expect(marked).toEqual([{ text: "I am vegetarian.", messageId: "m1" }]);
    expect(screen.queryByRole("button")).toBeNull();
  });
});
