import { describe, expect, it } from "vitest";
import { longTest } from "../../test/long-tests.ts";
import { callPart, resultPart, say, windowOf } from "../message/message.arbitrary.ts";
import type { ToolOutput } from "../message/tool-output.ts";
import type { Counter } from "../ports/model.ts";
import { countMessageBytes, countPartBytes, countTotalBytes } from "./count-bytes.ts";
import {
  countMessageTokens,
  countPartTokens,
  countTotalTokens,
  storeTokens,
  storeTokensYielding,
} from "./count-message.ts";
import { countTokens } from "./count-tokens.ts";
import { estimateMessagesTokens } from "./estimate-tokens.ts";

const [user, assistant, tool] = windowOf(
  say("user", "Where is the bug?"),
  say("assistant", { type: "step-start" }, "Let me look.", callPart("c1", { path: "src/a.ts" })),
  say("tool", resultPart("c1", "export const a = 1;")),
);

/** Counts characters and records the number of calls. */
function recordingCounter(): Counter & { asked: number } {
  return {
    name: `recording-${Math.random()}`,
    exact: true,
    margin: 1,
    asked: 0,
    count(text) {
      this.asked += 1;
      return text.length;
    },
  };
}

describe("countMessageTokens", () => {
  it("adds four tokens for the role to those of the parts", () => {
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

describe("token counts", () => {
  it("are computed once per part, however often a window is counted", () => {
    const counter = recordingCounter();
    const window = windowOf(say("user", "one"), say("assistant", "two", "three"));
    for (let i = 0; i < 10; i += 1) countTotalTokens(window, { counter });
    expect(counter.asked).toBe(3);
  });

  it("are taken from the part if stored", () => {
    const counter = recordingCounter();
    const [message] = windowOf(say("user", "hello"));
    const stored = message && storeTokens(message, { counter });
    expect(stored?.tokens).toBe(4 + 5);
    expect(counter.asked).toBe(1);
    const copy = structuredClone(stored);
    expect(copy && countMessageTokens(copy, { counter })).toBe(9);
    expect(counter.asked).toBe(1);
  });

  it("of two models are not mixed", () => {
    const [message] = windowOf(say("user", "The same words for two models. ".repeat(20)));
    if (message === undefined) throw new Error("no message");
    expect(countMessageTokens(message, { modelId: "claude-sonnet-4-5" })).toBeGreaterThan(
      countMessageTokens(message, { modelId: "gpt-4o" }),
    );
  });

  it("stored for one model are not used for another", () => {
    const [message] = windowOf(say("user", "The same words for two models. ".repeat(20)));
    const stored = message && storeTokens(message, { modelId: "gpt-4o" });
    if (message === undefined || stored === undefined) throw new Error("no message");
    const modelId = "claude-sonnet-4-5";
    expect(countMessageTokens(stored, { modelId })).toBe(countMessageTokens(message, { modelId }));
    expect(storeTokens(stored, { modelId }).tokens).toBe(countMessageTokens(message, { modelId }));
  });

  it("treat an image in a result as an image, in any form", () => {
    const data = Buffer.alloc(30_000, "iVBORw0KGgo").toString("base64");
    const source = { type: "base64", media_type: "image/png", data };
    const outputs: ToolOutput[] = [
      { type: "content", value: [{ type: "image-data", data, mediaType: "image/png" }] },
      { type: "content", value: [{ type: "file", mediaType: "image/png", data: { type: "data", data } }] },
      { type: "content", value: [{ type: "image-url", url: `data:image/png;base64,${data}` }] },
      { type: "error-json", value: [{ type: "image", source }] },
    ];
    for (const output of outputs) {
      const part = { id: "r", type: "tool-result" as const, toolCallId: "c", toolName: "shot", output };
      expect(countPartTokens(part, { modelId: "claude-sonnet-4-5" })).toBe(1600);
    }
  });

  it("include values nested deeper than JSON can be written", () => {
    let input: unknown = "leaf";
    for (let i = 0; i < 20_000; i += 1) input = { deeper: input };
    const window = windowOf(say("assistant", callPart("c", input)));
    expect(countTotalTokens(window)).toBeGreaterThan(10_000);
    expect(estimateMessagesTokens(window)).toBeGreaterThan(10_000);
    expect(countTotalBytes(window)).toBeGreaterThan(10_000);
  });

  it("of unknown parts are those of their JSON", () => {
    const value = { type: "custom", kind: "openai.compaction", providerOptions: { openai: { itemId: "cmp_1" } } };
    expect(countPartTokens({ id: "p", type: "opaque", format: "ai-sdk", value })).toBe(
      countTokens(JSON.stringify(value)),
    );
  });
});

describe("byte counts", () => {
  it("are never below the bytes of the JSON", () => {
    const window = windowOf(
      say("user", "äöü 你好 😀", { type: "reasoning", text: '\n\t"' }),
      say("assistant", callPart("c")),
    );
    expect(countTotalBytes(window)).toBeGreaterThanOrEqual(
      Buffer.byteLength(JSON.stringify(window.map((m) => m.parts))),
    );
    expect(window[0] && countMessageBytes(window[0])).toBeGreaterThan(20);
  });

  it("use the base64 size of file bytes", () => {
    const data = new Uint8Array(3_000);
    const bytes = countPartBytes({ id: "f", type: "file", mediaType: "image/png", data: { type: "data", data } });
    expect(bytes).toBeGreaterThanOrEqual(4_000);
    expect(bytes).toBeLessThan(4_500);
  });
});

describe("storeTokensYielding", () => {
  longTest("stores the counts of storeTokens, also for texts counted in pieces", async () => {
    const text = "The café opens at 8:15 — 日本語, not before.\n".repeat(28_000);
    const [said, result] = windowOf(say("user", "Hi", text, "Bye"), say("tool", resultPart("c1", text)));
    for (const message of [said, result]) {
      if (message === undefined) throw new Error("no message");
      const copy = structuredClone(message);
      for (const modelId of ["gpt-4o", "claude-sonnet-4-5"]) {
        expect(await storeTokensYielding(message, { modelId })).toEqual(storeTokens(copy, { modelId }));
      }
    }
  });
});
