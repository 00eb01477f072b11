import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { baseForm } from "./base-form.ts";

describe("baseForm", () => {
  it.each([
    ["slice", "slices sliced slicing"],
    ["ride", "rides riding rode ridden"],
    ["plan", "plans planned planning"],
    ["play", "plays played playing"],
    ["fall", "falls falling fell"],
    ["decide", "decides decided deciding"],
    ["visit", "visits visited visiting"],
    ["complete", "completes completed completing"],
    ["knife", "knives"],
    ["city", "cities"],
    ["watch", "watches watched watching"],
    ["policewoman", "policewomen"],
    ["thing", "things"],
  ])("brings the forms of %s together", (base, forms) => {
    for (const form of forms.split(" ")) expect(baseForm(form)).toBe(base);
  });

  it("leaves words that only look like forms", () => {
    for (const word of ["king", "spring", "red", "need", "bus", "glass", "this"]) expect(baseForm(word)).toBe(word);
  });

  it("gives back any text, never longer than by a letter", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(baseForm(text).length).toBeLessThanOrEqual(text.length + 1);
      }),
    );
  });
});
