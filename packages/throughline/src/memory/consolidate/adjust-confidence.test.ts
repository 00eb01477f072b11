import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factOf } from "../facts/memory.arbitrary.ts";
import { adjustConfidence } from "./plan-consolidation.ts";

function adjusted(cited: number, ignored: number, more = {}): number {
  const confidence = adjustConfidence(factOf("x", { usage: { retrieved: 20, cited, ignored }, ...more })).confidence;
  return Math.round(confidence * 100) / 100;
}

describe("confidence by use", () => {
  it("rises with the number of citations", () => {
    expect([adjusted(1, 0), adjusted(2, 0), adjusted(9, 0)]).toEqual([0.75, 0.84, 0.91]);
  });

  it("falls slightly for memories that are ignored again and again", () => {
    expect([adjusted(0, 4), adjusted(0, 5), adjusted(0, 500)]).toEqual([0.75, 0.69, 0.6]);
    expect(adjusted(2, 5)).toBe(0.75);
  });

  it("does not fall for memories that are pinned, saved by hand or mentioned often", () => {
    for (const more of [{ pinned: true }, { byHand: true }, { mentions: 3 }]) expect(adjusted(0, 50, more)).toBe(0.75);
  });

  it("stays within bounds and does not change on a second run", () => {
    const usage = fc.record({ retrieved: fc.nat(50), cited: fc.nat(50), ignored: fc.nat(50) });
    fc.assert(
      fc.property(usage, fc.double({ min: 0, max: 1, noNaN: true }), (counts, confidence) => {
        const once = adjustConfidence(factOf("x", { usage: counts, confidence }));
        expect(once.confidence).toBeGreaterThanOrEqual(Math.min(confidence, 0.6));
        expect(once.confidence).toBeLessThanOrEqual(Math.max(confidence, 0.95));
        expect(adjustConfidence(once)).toBe(once);
      }),
    );
  });
});
