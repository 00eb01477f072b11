// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { Suspense } from "react";
import type { FactBook } from "throughline/chat";
import { afterEach, describe, expect, it } from "vitest";
import "../../../../../../packages/throughline/src/react/patient-queries.fixture.ts";
import type { ShownMessage } from "../../chat-state.ts";
import { MessageBubble, type MessageVerbs } from "./message-bubble.tsx";
import { markdownReady } from "./message-text.tsx";

afterEach(cleanup);

const state = { facts: [], past: [], deleted: [] };
const verbs = {
  sources: { titles: new Map(), jumpTo: async () => true },
  book: { subscribe: () => () => undefined, getSnapshot: () => state } as unknown as FactBook,
  retry: () => undefined,
  continueAnswer: () => undefined,
  startEdit: () => undefined,
  editAndResend: () => undefined,
} satisfies MessageVerbs;

async function show(changes: Partial<ShownMessage>) {
  const used = [{ id: "f1", reason: "Pinned" }];
  const message: ShownMessage = { id: "m1", role: "assistant", text: "שלום", at: 0, state: "done", used, ...changes };
  const rest = { position: 1, total: 1, isEditing: false, isTarget: false, canRetry: true, verbs };
  // Markdown is loaded before the first message is shown.
  await markdownReady;
  await act(async () =>
    render(
      <Suspense>
        <MessageBubble message={message} {...rest} />
      </Suspense>,
    ),
  );
}

describe("a reply", () => {
  it("names the memories it used", async () => {
    await show({ state: "done" });
    expect(await screen.findByRole("button", { name: "Used 1 memory" })).toBeDefined();
  });

  it("names no memories if it failed", async () => {
    await show({ state: "failed", problem: "You're offline." });
    expect(await screen.findByText(/You're offline\./)).toBeDefined();
    expect(screen.queryByRole("button", { name: "Used 1 memory" })).toBeNull();
  });

  it("offers one way to try again, and nothing to copy, if it failed without text", async () => {
    await show({ state: "failed", text: "", problem: "You're offline." });
    const names = (await screen.findAllByRole("button")).map(
      (button) => button.getAttribute("aria-label") ?? button.textContent,
    );
    expect(names).toEqual(["Try again"]);
  });

  it.each([
    ["cut", "Cut off at the model's length limit."],
    ["filtered", "Ended early by the model's content filter."],
  ] as const)("that was %s says so, and offers to continue", async (ending, note) => {
    await show({ state: ending });
    expect(await screen.findByText(new RegExp(note))).toBeDefined();
    expect(screen.getByRole("button", { name: "Continue" })).toBeDefined();
  });

  it("has the direction of its own text", async () => {
    await show({});
    expect((await screen.findByText("שלום")).closest("[dir=auto]")).not.toBeNull();
  });
});
