import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundMarks, MAX_MARKS } from "./bound-marks.ts";
import { readWords } from "./read-words.ts";

/** Marks of several classes, which normalising puts in order, and letters. */
const signs = fc.constantFrom("a", "é", "か", " ", "\u0301", "\u0323", "\u05b0", "\u05b1", "\uff9e", "\u3099");

function longestRun(text: string): number {
  const runs = text.normalize("NFKD").match(/\p{M}+/gu) ?? [];
  return runs.reduce((most, run) => Math.max(most, [...run].length), 0);
}

describe("boundMarks", () => {
  it("leaves no more marks in a row than can be put in order at once, of any text", () => {
    const anyText = fc.array(fc.tuple(signs, fc.nat(80)), { maxLength: 8 });
    fc.assert(
      fc.property(anyText, (parts) => {
        const text = parts.map(([sign, times]) => sign.repeat(times)).join("");
        // A letter brings marks of its own.
        expect(longestRun(boundMarks(text))).toBeLessThanOrEqual(2 * MAX_MARKS);
      }),
    );
  });

  it("leaves every text as it is that somebody writes", () => {
    const anyText = fc.array(fc.tuple(signs, fc.nat(6)), { maxLength: 4 });
    fc.assert(
      fc.property(anyText, (parts) => {
        const text = parts.map(([sign, times]) => sign.repeat(times)).join("");
        expect(boundMarks(text)).toBe(text);
      }),
    );
  });
});

describe("readWords", () => {
  it.each([
    ["a\u0301\u0323", 350_000],
    ["\u0301\u0323", 500_000],
    ["\u05b1\u05b0", 500_000],
    ["\uff9e\u0323", 500_000],
  ])("reads a million signs of %j", (unit, times) => {
    const text = unit.repeat(times);
    expect(longestRun(boundMarks(text))).toBeLessThanOrEqual(2 * MAX_MARKS);
    expect(readWords(`${text} hello`).at(-1)).toBe("hello");
  });
});
