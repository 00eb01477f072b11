import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EVIDENCE, type Kind } from "./gather-evidence.ts";
import { likelihoodOf } from "./predict-memories.ts";

const anyStrengths = fc.record(
  Object.fromEntries(EVIDENCE.map((kind) => [kind, fc.double({ min: 0, max: 1, noNaN: true })])),
  { requiredKeys: [] },
);
const likelihood = (strengths: Partial<Record<Kind, number>>): number => likelihoodOf({ strengths, reasons: [] });

describe("likelihoodOf", () => {
  it("is a likelihood, and never lower for more that speaks for a memory", () => {
    fc.assert(
      fc.property(anyStrengths, anyStrengths, (some, more) => {
        const both = { ...some };
        for (const kind of EVIDENCE) if (more[kind]) both[kind] = Math.max(some[kind] ?? 0, more[kind]);
        expect(likelihood(some)).toBeGreaterThan(0);
        expect(likelihood(both)).toBeLessThan(1);
        expect(likelihood(both)).toBeGreaterThanOrEqual(likelihood(some));
      }),
    );
  });

  it("is higher for what names the opened file than for words that are alike, and highest where it was of use before", () => {
    const [alike, named] = [likelihood({ fitsBranch: 1 }), likelihood({ namesOpened: 1 })];
    const used = likelihood({ namesOpened: 1, usedBefore: 0.5 });
    expect([alike < 0.5, named > 0.5, used > named]).toEqual([true, true, true]);
  });
});
