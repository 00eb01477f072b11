import { describe, expect, it } from "vitest";
import { percentUsed, windowParts } from "./context-ring.tsx";

const use = {
  limit: 8_192,
  used: 3_112,
  parts: { system: 212, memory: 350, summary: 800, history: 1_650, message: 100, reply: 1_000, free: 4_080 },
};

describe("windowParts", () => {
  it("names every part once, in the order in which they are sent", () => {
    expect(windowParts(use).map((part) => part.name)).toEqual(Object.keys(use.parts));
  });

  it("gives shares that add up to the window", () => {
    const sum = windowParts(use).reduce((total, part) => total + part.share, 0);
    expect(sum).toBeCloseTo(1, 10);
  });

  it("has no share of a window without a size", () => {
    expect(windowParts({ ...use, limit: 0 }).every((part) => part.share === 0)).toBe(true);
  });
});

describe("percentUsed", () => {
  it.each([
    [0, 0],
    [1, 1],
    [3_112, 38],
    [8_190, 99],
    [8_192, 100],
    [9_000, 100],
  ])("shows %i tokens of 8,192 as %i%%", (used, percent) => {
    expect(percentUsed({ used, limit: 8_192 })).toBe(percent);
  });
});
