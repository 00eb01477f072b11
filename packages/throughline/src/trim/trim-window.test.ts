import { describe, expect, it } from "vitest";
import { IrreducibleContextError } from "../errors/irreducible-context-error.ts";
import { callPart, resultPart, say, windowOf } from "../message/message.arbitrary.ts";
import { countMessageTokens, countPartTokens, countTotalTokens } from "../tokens/count-message.ts";
import { countTokens } from "../tokens/count-tokens.ts";
import { cutText } from "./cut-text.ts";
import { trimWindow } from "./trim-window.ts";

const trim = (window: ReturnType<typeof windowOf>, budget: number) =>
  trimWindow(window, { budget, count: countTokens, tokensOf: countPartTokens, messageTokens: countMessageTokens });

describe("trimWindow", () => {
  it("leaves out the middle first, and keeps the first message and whole pairs at the end", () => {
    const rounds = Array.from({ length: 10 }, (_, i) => [
      say("assistant", callPart(`c${i}`)),
      say("tool", resultPart(`c${i}`, "word ".repeat(100))),
    ]).flat();
    const window = windowOf(say("user", "the task"), ...rounds);
    const { messages, dropped, cut } = trim(window, 400);
    expect(messages[0]).toBe(window[0]);
    expect(messages.at(-1)).toBe(window.at(-1));
    expect(messages[1]?.role).toBe("assistant");
    expect(dropped.length).toBe(window.length - messages.length);
    expect(cut).toEqual([]);
    expect(countTotalTokens(messages)).toBeLessThanOrEqual(400);
  });

  it("cuts what is giant to head and tail, with a handle", () => {
    const window = windowOf(
      say("user", "the task"),
      say("assistant", callPart("c")),
      say("tool", resultPart("c", `start ${"x y ".repeat(5_000)} end`)),
    );
    const { messages, cut } = trim(window, 500);
    expect(countTotalTokens(messages)).toBeLessThanOrEqual(500);
    expect(cut).toEqual(["m2.0"]);
    expect(JSON.stringify(messages[2])).toMatch(/start .*recall the whole as part:m2\.0.* end/);
  });

  it("says what cannot shrink where nothing helps", () => {
    const window = windowOf(
      say("user", "a"),
      say("assistant", { type: "opaque", format: "ai-sdk", value: { kind: "x".repeat(9_000) } }),
    );
    expect(() => trim(window, 100)).toThrow(IrreducibleContextError);
    expect(() => trim(window, 100)).toThrow(/cannot be made to fit 100: opaque of assistant message m1/);
  });

  it("does not edit a call that an approval binds", () => {
    const bound = say("assistant", callPart("c", { text: "word ".repeat(500) }), {
      type: "tool-approval-request",
      approvalId: "p",
      toolCallId: "c",
    });
    expect(() => trim(windowOf(say("user", "a"), bound), 200)).toThrow(IrreducibleContextError);
  });
});

describe("cutText", () => {
  it("keeps both ends and never more than the cap", () => {
    const text = `begin ${"middle ".repeat(1_000)}end`;
    for (const cap of [20, 50, 200]) {
      const cut = cutText(text, cap, "cut", countTokens);
      expect(countTokens(cut)).toBeLessThanOrEqual(cap);
      expect(cut.startsWith("begin")).toBe(true);
      expect(cut.endsWith("end")).toBe(true);
    }
  });

  it("does not cut a character in two", () => {
    expect(cutText("😀".repeat(500), 60, "cut", countTokens).isWellFormed()).toBe(true);
  });
});
