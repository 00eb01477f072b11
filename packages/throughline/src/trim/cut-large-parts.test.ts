import { describe, expect, it } from "vitest";
import { countTokens } from "../tokens/count-tokens.ts";
import { cutText } from "./cut-large-parts.ts";

describe("cutText", () => {
  it("keeps both ends and never exceeds the cap", () => {
    const text = `begin ${"middle ".repeat(1_000)}end`;
    for (const cap of [20, 50, 200]) {
      const cut = cutText(text, cap, "cut", countTokens);
      expect(countTokens(cut)).toBeLessThanOrEqual(cap);
      expect(cut.startsWith("begin")).toBe(true);
      expect(cut.endsWith("end")).toBe(true);
    }
  });

  it("does not split a character", () => {
    expect(cutText("😀".repeat(500), 60, "cut", countTokens).isWellFormed()).toBe(true);
  });
});
