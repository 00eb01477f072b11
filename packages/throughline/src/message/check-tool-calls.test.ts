import { describe, expect, it } from "vitest";
import { PROVIDERS, type Provider } from "./legality-rules.ts";
import { callPart, resultPart, say, windowOf } from "./message.arbitrary.ts";
import type { Message } from "./message.ts";
import { validateWindow } from "./validate-window.ts";

const codes = (window: readonly Message[], provider: Provider) =>
  validateWindow(window, provider).map((violation) => violation.code);

describe("the input of a call", () => {
  it("must be an object, except for OpenAI", () => {
    for (const input of ["*** Begin Patch", ["a"], null, 1]) {
      const window = windowOf(say("user", "a"), say("assistant", callPart("x", input)), say("tool", resultPart("x")));
      expect(codes(window, "openai")).toEqual([]);
      expect(codes(window, "anthropic")).toEqual(["bad-input"]);
      expect(codes(window, "gemini")).toEqual(["bad-input"]);
    }
  });
});

describe("the name of a tool", () => {
  const called = (toolName: string, providerExecuted = false) =>
    windowOf(
      say("user", "a"),
      say("assistant", { ...callPart("x"), toolName, providerExecuted }),
      say(providerExecuted ? "assistant" : "tool", { ...resultPart("x"), toolName }),
    );

  it("must consist of characters that the provider accepts", () => {
    expect(codes(called("files.read"), "openai")).toEqual(["bad-tool-name"]);
    expect(codes(called(""), "anthropic")).toEqual(["bad-tool-name"]);
    // Gemini receives the tool name with the result too.
    expect(codes(called("files.read"), "gemini")).toEqual(["bad-tool-name", "bad-tool-name"]);
  });

  it("may be longer for Anthropic than for the others", () => {
    expect(codes(called("t".repeat(64)), "openai")).toEqual([]);
    expect(codes(called("t".repeat(65)), "openai")).toEqual(["bad-tool-name"]);
    expect(codes(called("t".repeat(65)), "gemini")).toContain("bad-tool-name");
    expect(codes(called("t".repeat(128)), "anthropic")).toEqual([]);
    expect(codes(called("t".repeat(129)), "anthropic")).toEqual(["bad-tool-name"]);
  });

  it("is not checked if the provider ran the tool", () => {
    expect(codes(called("mcp.search", true), "openai")).toEqual([]);
  });
});

describe("a call that the provider ran", () => {
  const call = { ...callPart("x"), providerExecuted: true };

  it("may still be running in the last message, but not earlier for Anthropic", () => {
    const running = windowOf(say("user", "hi"), say("assistant", call));
    const past = windowOf(say("user", "hi"), say("assistant", call, "found"), say("user", "and?"));
    for (const provider of PROVIDERS) expect(codes(running, provider)).toEqual([]);
    expect(codes(past, "openai")).toEqual([]);
    expect(codes(past, "gemini")).toEqual([]);
    expect(codes(past, "anthropic")).toEqual(["missing-result"]);
  });

  it("is still running while only results of other calls follow", () => {
    const window = windowOf(say("user", "hi"), say("assistant", call, callPart("y")), say("tool", resultPart("y")));
    expect(codes(window, "anthropic")).toEqual([]);
  });

  it.each(PROVIDERS)("has its result in an assistant message, marked or not, for %s", (provider) => {
    const asked = [say("user", "hi"), say("assistant", call, callPart("y")), say("tool", resultPart("y"))];
    for (const result of [resultPart("x"), { ...resultPart("x"), providerExecuted: true }]) {
      const beside = windowOf(say("user", "hi"), say("assistant", call, result, "found"));
      const later = windowOf(...asked, say("assistant", result, "found"));
      const byTool = windowOf(say("user", "hi"), say("assistant", call), say("tool", result));
      const tooLate = windowOf(...asked, say("user", "well?"), say("assistant", result, "found"));
      expect(codes(beside, provider)).toEqual([]);
      expect(codes(later, provider)).toEqual([]);
      expect(codes(byTool, provider)).toEqual(["misplaced-result"]);
      expect(codes(tooLate, provider)).toEqual(["misplaced-result"]);
    }
  });

  it("is denied in a tool message, as in the AI SDK", () => {
    const denied = { ...resultPart("x"), output: { type: "execution-denied" as const } };
    const window = windowOf(say("user", "hi"), say("assistant", call), say("tool", denied));
    expect(codes(window, "openai")).toEqual([]);
  });
});

describe("large windows", () => {
  const ids = Array.from({ length: 20_000 }, (_, i) => `c${i}`);

  it("with parallel calls and one message per result are checked in one pass", () => {
    const calls = say("assistant", ...ids.map((id) => callPart(id)));
    const results = ids.map((id) => say("tool", resultPart(id)));
    expect(codes(windowOf(say("user", "go"), calls, ...results), "openai")).toEqual([]);
    expect(codes(windowOf(say("user", "go"), calls), "openai")).toHaveLength(20_000);
  });

  it("with an approval per call are checked in one pass", () => {
    const parts = ids.flatMap((id) => [
      callPart(id),
      { type: "tool-approval-request" as const, approvalId: `p-${id}`, toolCallId: id },
    ]);
    const asked = [say("user", "go"), say("assistant", ...parts)];
    expect(codes(windowOf(...asked), "anthropic")).toEqual([]);
    expect(codes(windowOf(...asked, say("user", "never mind")), "anthropic")).toHaveLength(20_000);
  });
});
