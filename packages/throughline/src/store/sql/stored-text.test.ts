import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../../test/cases.ts";
import { fromStoredText, toStoredText } from "./row-values.ts";

const piece = fc.constantFrom("\\", "u", "0041", "d800", "\0", "\ud800", "\udc00", "😀", "x");
const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
);

describe("stored text", () => {
  it("comes back, and a database can hold it", () => {
    fc.assert(
      fc.property(text, (value) => {
        const stored = toStoredText(value);
        expect(fromStoredText(stored)).toBe(value);
        expect(stored.isWellFormed()).toBe(true);
        expect(stored).not.toContain("\0");
      }),
      { numRuns: cases(500) },
    );
  });

  it("keeps texts apart that differ", () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(toStoredText(a) === toStoredText(b)).toBe(a === b);
      }),
      { numRuns: cases(500) },
    );
  });

  it.each(["", "session-1", "C:\\users\\ann", "Zürich 😀", "\\U0041"])("is stored unchanged: %s", (plain) => {
    expect(toStoredText(plain)).toBe(plain);
  });
});
