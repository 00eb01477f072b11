import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { baseForm, stem } from "./stem.ts";

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
  ])("reduces the forms of %s to it", (base, forms) => {
    for (const form of forms.split(" ")) expect(baseForm(form)).toBe(base);
  });

  it("leaves words unchanged that only look inflected", () => {
    for (const word of ["king", "spring", "red", "need", "bus", "glass", "this"]) expect(baseForm(word)).toBe(word);
  });

  it("lengthens a text by at most one letter", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(baseForm(text).length).toBeLessThanOrEqual(text.length + 1);
      }),
    );
  });
});

describe("stem", () => {
  it.each([
    ["paint", "paints painted painting"],
    ["optim", "optimize optimization optimizations"],
    ["relat", "relate relational"],
    ["hope", "hopeful hopefulness"],
  ])("gives %s for related words", (root, words) => {
    for (const word of words.split(" ")) expect(stem(word)).toBe(root);
  });

  it("reduces irregular forms only if asked to", () => {
    expect(stem("bought")).not.toBe(stem("buy"));
    expect(stem("bought", { irregular: true })).toBe(stem("buy"));
  });

  it("leaves short words, names with digits and other scripts unchanged", () => {
    for (const word of ["go", "k8s", "straße", "работы", "東京"]) expect(stem(word, { irregular: true })).toBe(word);
  });
});
