import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseWords } from "./parse-words.ts";

const texts = (text: string): string =>
  parseWords(text)
    .map((word) => word.text)
    .join(" ");

describe("parseWords", () => {
  it.each([
    ["I don't mind, can’t wait.", "i do not mind , can not wait ."],
    ["im sure they'll say it's Ada's", "i am sure they will say it is ada"],
    ["She ca n't and wo n't; no one could've", "she can not and will not ; nobody could have"],
    ["O'Brien ain't here", "o brien is not here"],
    ["C++ and node.js, part-time at $1,200/month", "c++ and node.js , part-time at $1,200 month"],
    ["9:30pm, 5-7 months, 20%", "9:30pm , 5-7 months , 20%"],
    ["naïve café", "naïve café"],
    ["Москва и 東京。", "москва и 東京 。"],
  ])("reads %s", (text, words) => {
    expect(texts(text)).toBe(words);
  });

  it("gives base forms, positions and commas", () => {
    expect(parseWords("Well, dogs don't")).toMatchObject([
      { text: "well", start: 0, end: 4, isAfterComma: false },
      { text: "," },
      { text: "dogs", base: "dog", start: 6, end: 10, isAfterComma: true },
      { text: "do", start: 11, end: 16, isAfterComma: false },
      { text: "not", start: 11, end: 16 },
    ]);
  });

  it("gives positions in order, in any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        let before = 0;
        for (const { start, end } of parseWords(text)) {
          expect(start).toBeGreaterThanOrEqual(before);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          before = start;
        }
      }),
    );
  });
});
