import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { InvalidOptionError } from "../../errors/input-errors.ts";
import { calculateMemoryBudget } from "./memory-budget.ts";

describe("calculateMemoryBudget", () => {
  it("is a quarter of the window that conversation and reply leave", () => {
    expect(calculateMemoryBudget("x", 1_700, 1_000, { contextWindow: 4_096 })).toBe(349);
  });

  it("is at least 150 and at most 500", () => {
    expect(calculateMemoryBudget("gpt-4o", 0)).toBe(500);
    expect(calculateMemoryBudget("gpt-4o", 1_000_000)).toBe(150);
    expect(calculateMemoryBudget("x", 2_400, 1_000, { contextWindow: 4_000 })).toBe(150);
    expect(calculateMemoryBudget("x", 1_000, 1_000, { contextWindow: 4_000 })).toBe(500);
  });

  it("reserves 1,000 tokens for the reply by default", () => {
    const at = (reserve?: number) => calculateMemoryBudget("x", 1_500, reserve, { contextWindow: 4_000 });
    expect(at()).toBe(at(1_000));
    expect(at(500)).toBe(500);
  });

  it("refuses an invalid context window", () => {
    expect(() => calculateMemoryBudget("x", 0, 0, { contextWindow: 0 })).toThrow(InvalidOptionError);
  });

  it("stays within its bounds for all inputs", () => {
    fc.assert(
      fc.property(fc.nat(2_000_000), fc.nat(100_000), fc.integer({ min: 1, max: 2_000_000 }), (used, out, window) => {
        const budget = calculateMemoryBudget("x", used, out, { contextWindow: window });
        expect(Number.isInteger(budget) && budget >= 150 && budget <= 500).toBe(true);
      }),
    );
  });
});
