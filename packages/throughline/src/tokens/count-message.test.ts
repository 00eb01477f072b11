import { describe, expect, it } from "vitest";
import { callPart, resultPart, say, windowOf } from "../message/message.arbitrary.ts";
import type { Counter } from "../ports/counter.ts";
import { countMessageBytes, countPartBytes, countTotalBytes } from "./count-bytes.ts";
import { countMessageTokens, countPartTokens, countTotalTokens, storeTokens } from "./count-message.ts";
import { countTokens } from "./count-tokens.ts";

const [user, assistant, tool] = windowOf(
  say("user", "Where is the bug?"),
  say("assistant", { type: "step-start" }, "Let me look.", callPart("c1", { path: "src/a.ts" })),
  say("tool", resultPart("c1", "export const a = 1;")),
);

/** Counts letters and remembers how often it was asked. */
function recordingCounter(): Counter & { asked: number } {
  return {
    name: `recording-${Math.random()}`,
    exact: true,
    asked: 0,
    count(text) {
      this.asked += 1;
      return text.length;
    },
  };
}

describe("countMessageTokens", () => {
  it("adds four for the role to what the parts have", () => {
    expect(user && countMessageTokens(user)).toBe(4 + countTokens("Where is the bug?"));
  });

  it("counts name and input of a call, and the output of a result", () => {
    const call = countTokens("read") + countTokens('{"path":"src/a.ts"}');
    expect(assistant && countMessageTokens(assistant)).toBe(4 + 4 + countTokens("Let me look.") + call);
    expect(tool && countMessageTokens(tool)).toBe(4 + countTokens("export const a = 1;"));
  });

  it("adds up over a window", () => {
    const window = [user, assistant, tool].filter((message) => message !== undefined);
    expect(countTotalTokens(window)).toBe(window.reduce((sum, message) => sum + countMessageTokens(message), 0));
  });
});

describe("counting once", () => {
  it("asks the counter once per part, however often a window is counted", () => {
    const counter = recordingCounter();
    const window = windowOf(say("user", "one"), say("assistant", "two", "three"));
    for (let i = 0; i < 10; i += 1) countTotalTokens(window, { counter });
    expect(counter.asked).toBe(3);
  });

  it("takes the stored count and does not count at all", () => {
    const counter = recordingCounter();
    const [message] = windowOf(say("user", "hello"));
    const stored = message && storeTokens(message, { counter });
    expect(stored?.tokens).toBe(4 + 5);
    expect(counter.asked).toBe(1);
    const copy = structuredClone(stored);
    expect(copy && countMessageTokens(copy, { counter })).toBe(9);
    expect(counter.asked).toBe(1);
  });

  it("does not mix the counts of two models", () => {
    const [message] = windowOf(say("user", "The same words for two models. ".repeat(20)));
    if (message === undefined) throw new Error("no message");
    expect(countMessageTokens(message, { modelId: "claude-sonnet-4-5" })).toBeGreaterThan(
      countMessageTokens(message, { modelId: "gpt-4o" }),
    );
  });

  it("carries parts that it does not know by what they weigh as JSON", () => {
    const value = { type: "custom", kind: "openai.compaction", providerOptions: { openai: { itemId: "cmp_1" } } };
    expect(countPartTokens({ id: "p", type: "opaque", format: "ai-sdk", value })).toBe(
      countTokens(JSON.stringify(value)),
    );
  });
});

describe("counting bytes", () => {
  it("is never below the bytes of the JSON", () => {
    const window = windowOf(
      say("user", "äöü 你好 😀", { type: "reasoning", text: '\n\t"' }),
      say("assistant", callPart("c")),
    );
    expect(countTotalBytes(window)).toBeGreaterThanOrEqual(
      Buffer.byteLength(JSON.stringify(window.map((m) => m.parts))),
    );
    expect(window[0] && countMessageBytes(window[0])).toBeGreaterThan(20);
  });

  it("counts bytes of a file as the base64 that travels", () => {
    const data = new Uint8Array(3_000);
    const bytes = countPartBytes({ id: "f", type: "file", mediaType: "image/png", data: { type: "data", data } });
    expect(bytes).toBeGreaterThanOrEqual(4_000);
    expect(bytes).toBeLessThan(4_500);
  });
});
