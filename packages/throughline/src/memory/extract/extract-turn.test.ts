import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { segmentFingerprint, shouldExtract } from "./extract-turn.ts";

describe("shouldExtract", () => {
  it.each([
    [0, false, false],
    [4, false, false],
    [5, false, true],
    [6, false, true],
    [0, true, false],
    [1, true, true],
  ])("after %i messages, ended: %s → %s", (messagesSince, ended, expected) => {
    expect(shouldExtract({ messagesSince, ended })).toBe(expected);
  });
});

describe("segmentFingerprint", () => {
  const turn = fc.record({ id: fc.string(), role: fc.constantFrom("user", "assistant"), text: fc.string() });

  it("is equal only for equal messages", () => {
    fc.assert(
      fc.property(fc.array(turn), fc.array(turn), (a, b) => {
        const isSame = JSON.stringify(a) === JSON.stringify(b);
        expect(segmentFingerprint(a) === segmentFingerprint(b)).toBe(isSame);
        expect(segmentFingerprint(structuredClone(a))).toBe(segmentFingerprint(a));
      }),
    );
  });

  it("distinguishes message boundaries", () => {
    const turns = (...texts: string[]) => texts.map((text) => ({ id: "m", role: "user", text }));
    expect(segmentFingerprint(turns("ab", "c"))).not.toBe(segmentFingerprint(turns("a", "bc")));
  });
});
