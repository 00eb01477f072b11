import { describe, expect, it } from "vitest";
import { macroF1 } from "./outcomes.ts";
import { wordF1 } from "./titles.ts";

describe("measures of episodes", () => {
  it("compare titles by their content words", () => {
    expect(wordF1("Retry failed uploads", "Retries of failed uploads")).toBeCloseTo(2 / 3);
    expect(wordF1("", "of it")).toBe(0);
  });

  it("give each outcome that occurs the same weight", () => {
    const done = { labeled: "done", stated: "done" } as const;
    const missed = { labeled: "partly", stated: "done" } as const;
    expect(macroF1([done, done])).toBe(1);
    expect(macroF1([done, done, missed])).toBeCloseTo(0.4);
  });
});
