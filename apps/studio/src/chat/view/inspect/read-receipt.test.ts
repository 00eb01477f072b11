import type { Receipt } from "throughline";
import { describe, expect, it } from "vitest";
import { readReceipt } from "./read-receipt.ts";

const receipt: Receipt = {
  id: "r",
  sessionId: "s",
  createdAt: 0,
  modelId: "m",
  budget: 1_000,
  tokens: 600,
  counted: 590,
  items: [
    { rule: "system", role: "system", tokens: 100, messageId: "system" },
    { rule: "memory", role: "system", tokens: 50, messageId: "memory", sources: ["a", "b"], reasons: { a: "words" } },
    { rule: "summary", role: "user", tokens: 150, messageId: "1", sources: ["x", "y"] },
    { rule: "tail", role: "user", tokens: 100, messageId: "2" },
    { rule: "tail", role: "tool", tokens: 200, messageId: "3", shortened: ["p1", "p2"] },
  ],
  nearMisses: [
    { messageId: "x", tokens: 9, reason: "compacted" },
    { messageId: "z", tokens: 7, reason: "trimmed" },
  ],
  handles: ["trim:1"],
  repairs: [],
  notes: [],
};

describe("readReceipt", () => {
  it("counts every item under its rule, so that the rules add up to the receipt", () => {
    const { counted } = readReceipt(receipt);
    expect(counted.map(({ rule, tokens, items }) => [rule, tokens, items.length])).toEqual([
      ["system", 100, 1],
      ["memory", 50, 1],
      ["summary", 150, 1],
      ["tail", 300, 2],
    ]);
    expect(counted.reduce((sum, one) => sum + one.tokens, 0)).toBe(receipt.tokens);
  });

  it("lists each injected memory with its reason, where there is one", () => {
    expect(readReceipt(receipt).injected).toEqual([
      { id: "a", reason: "words" },
      { id: "b", reason: undefined },
    ]);
  });

  it("distinguishes pruned, compacted and trimmed messages", () => {
    const { pruned, compacted, trimmed } = readReceipt(receipt);
    expect(pruned).toEqual([{ messageId: "3", parts: ["p1", "p2"] }]);
    expect([compacted[0]?.messageId, trimmed[0]?.messageId]).toEqual(["x", "z"]);
  });
});
