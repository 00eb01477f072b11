import { describe, expect, it } from "vitest";
import { isAuxiliary, isStopWord } from "./stop-words.ts";

describe("isStopWord", () => {
  it("counts function words", () => {
    expect(["the", "was", "yourselves", "database", "never"].map((word) => isStopWord(word))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it("counts fillers if asked to", () => {
    for (const word of ["really", "thing", "okay", "onto", "ought"]) {
      expect(isStopWord(word)).toBe(false);
      expect(isStopWord(word, { fillers: true })).toBe(true);
    }
    expect(isStopWord("database", { fillers: true })).toBe(false);
  });
});

describe("word classes", () => {
  it("include auxiliary verbs", () => {
    expect(["can", "be", "live"].map(isAuxiliary)).toEqual([true, true, false]);
  });
});
