import { describe, expect, it } from "vitest";
import type { ShownMessage } from "../chat-state.ts";
import { finishedWords } from "./conversation.tsx";

const answer = (changes: Partial<ShownMessage>): ShownMessage => ({
  id: "a",
  role: "assistant",
  text: "Hello.",
  at: 0,
  state: "done",
  ...changes,
});

describe("finishedWords", () => {
  it("announces the answer", () => {
    expect(finishedWords(answer({}))).toBe("Reply: Hello.");
  });

  it("announces the error", () => {
    expect(finishedWords(answer({ state: "failed", problem: "No network." }))).toBe("The reply failed. No network.");
  });

  it("announces a stopped answer", () => {
    expect(finishedWords(answer({ state: "stopped" }))).toBe("Stopped. Hello.");
  });

  it("announces a cut-off answer", () => {
    expect(finishedWords(answer({ state: "cut" }))).toBe("Cut off at the model's length limit. Hello.");
  });

  it("does not announce long text in full", () => {
    const words = finishedWords(answer({ text: "word ".repeat(1_000) }));
    expect(words.length).toBeLessThan(700);
    expect(words).toContain("The rest is in the conversation.");
  });
});
