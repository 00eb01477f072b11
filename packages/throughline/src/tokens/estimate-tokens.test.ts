import { describe, expect, it } from "vitest";
import { estimateMessagesTokens, estimateTokens } from "./estimate-tokens.ts";

describe("estimateTokens", () => {
  it("counts four characters per token, rounded up", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("abcd")).toBe(1);
    expect(estimateTokens("abcde")).toBe(2);
  });

  it("counts values other than text as 0", () => {
    expect(estimateTokens(undefined as unknown as string)).toBe(0);
    expect(estimateTokens(42 as unknown as string)).toBe(0);
  });
});

describe("estimateMessagesTokens", () => {
  it("counts two tokens for the role, and texts, calls and results by their characters", () => {
    expect(
      estimateMessagesTokens([
        { role: "system", content: "abcd" },
        { role: "user", content: [{ type: "text", text: "abcdefgh" }] },
        { role: "assistant", content: [{ type: "tool-call", toolCallId: "1", toolName: "read", input: { a: 1 } }] },
        {
          role: "tool",
          content: [
            { type: "tool-result", toolCallId: "1", toolName: "read", output: { type: "json", value: [1, 2] } },
          ],
        },
      ]),
    ).toBe(4 * 2 + 1 + 2 + (1 + 2) + 2);
  });
});
