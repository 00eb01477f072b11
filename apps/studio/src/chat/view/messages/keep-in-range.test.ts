import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { keepInRange } from "./keep-in-range.ts";

describe("keepInRange", () => {
  it("keeps a row that is being edited far above what is on screen", () => {
    const rows = keepInRange({ startIndex: 500, endIndex: 503, overscan: 1, count: 1_000 }, [7]);
    expect(rows).toEqual([7, 499, 500, 501, 502, 503, 504]);
  });

  it("ignores rows that are no longer there", () => {
    expect(keepInRange({ startIndex: 0, endIndex: 1, overscan: 0, count: 2 }, [-1, 2, 40])).toEqual([0, 1]);
  });

  it("gives each row once, in order, and at most two more than the screen and its margins need", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000 }),
        fc.nat(10_000),
        fc.nat(30),
        fc.array(fc.integer({ min: -1, max: 10_000 }), { maxLength: 2 }),
        (count, start, height, kept) => {
          const startIndex = start % count;
          const endIndex = Math.min(count - 1, startIndex + height);
          const rows = keepInRange({ startIndex, endIndex, overscan: 6, count }, kept);
          expect(rows).toEqual([...new Set(rows)].sort((a, b) => a - b));
          expect(rows.length).toBeLessThanOrEqual(endIndex - startIndex + 1 + 12 + 2);
          expect(rows.every((row) => row >= 0 && row < count)).toBe(true);
        },
      ),
    );
  });
});
