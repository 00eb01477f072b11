import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { diffLines } from "./diff-lines.ts";

const texts = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 }).map((lines) => lines.join("\n"));

describe("diffLines", () => {
  it("says what goes and what comes, with three lines around it", () => {
    const before = ["1", "2", "3", "4", "5", "6", "7"].join("\n");
    const signs = diffLines(before, before.replace("5", "five")).map(({ type, text }) => `${type} ${text}`);
    expect(signs).toEqual(["gap ", "same 2", "same 3", "same 4", "removed 5", "added five", "same 6", "same 7"]);
  });

  it("says nothing of texts that are the same", () => {
    expect(diffLines("a\nb\n", "a\nb\n").filter(({ type }) => type !== "gap")).toEqual([]);
  });

  it("names every line that is only in one of them", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = diffLines(before, after);
        const count = (text: string) => text.split("\n").filter((line) => line !== "").length;
        const sum = (type: string) => lines.filter((line) => line.type === type && line.text !== "").length;
        expect(sum("added") - sum("removed")).toBe(count(after) - count(before));
      }),
    );
  });
});
