import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyPhrase, boundMarks, isUnspaced, MAX_MARKS, nameParts, readWords, wordList, wordSet } from "./words.ts";

/** Letters, and combining marks of several classes, which normalization reorders. */
const signs = fc.constantFrom("a", "é", "か", " ", "\u0301", "\u0323", "\u05b0", "\u05b1", "\uff9e", "\u3099");

function longestRun(text: string): number {
  const runs = text.normalize("NFKD").match(/\p{M}+/gu) ?? [];
  return runs.reduce((most, run) => Math.max(most, [...run].length), 0);
}

describe("boundMarks", () => {
  it("limits the combining marks in a row, in any text", () => {
    const anyText = fc.array(fc.tuple(signs, fc.nat(80)), { maxLength: 8 });
    fc.assert(
      fc.property(anyText, (parts) => {
        const text = parts.map(([sign, times]) => sign.repeat(times)).join("");
        // A letter may contain marks of its own.
        expect(longestRun(boundMarks(text))).toBeLessThanOrEqual(2 * MAX_MARKS);
      }),
    );
  });

  it("leaves text with few marks unchanged", () => {
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
  it("folds case and accents and drops the part after an apostrophe", () => {
    expect(readWords("Zoë's CAFÉ opens at 9.")).toEqual(["zoe", "cafe", "opens", "at", "9"]);
  });

  it("keeps the word behind an elided article, and drops the endings of contractions", () => {
    expect(readWords("L'équipe d’Amélie")).toEqual(["equipe", "amelie"]);
    expect(readWords("O'Brien said we'll see, they've left")).toEqual(["brien", "said", "we", "see", "they", "left"]);
  });

  it("keeps the vowels of scripts that write them as marks", () => {
    expect(readWords("हिन्दी, Привет")).toEqual(["हिन्दी", "привет"]);
  });

  it.each([
    ["a\u0301\u0323", 350_000],
    ["\u0301\u0323", 500_000],
    ["\u05b1\u05b0", 500_000],
    ["\uff9e\u0323", 500_000],
  ])("reads a million characters of %j", (unit, times) => {
    const text = unit.repeat(times);
    expect(longestRun(boundMarks(text))).toBeLessThanOrEqual(2 * MAX_MARKS);
    expect(readWords(`${text} hello`).at(-1)).toBe("hello");
  });
});

describe("isUnspaced", () => {
  it("recognizes scripts without spaces between words", () => {
    expect(["東京", "ภาษาไทย", "한국어", "Tokyo"].map(isUnspaced)).toEqual([true, true, false, false]);
  });
});

describe("nameParts", () => {
  it("splits names if a capital begins a part", () => {
    expect(nameParts("ESLint checks parseConfigFile in my PostgreSQL repo")).toEqual([
      "Lint",
      "parse",
      "Config",
      "File",
      "Postgre",
      "SQL",
    ]);
  });

  it("leaves plain words, acronyms and encoded data alone", () => {
    expect(nameParts(`The HTTP API of Berlin ${"aB".repeat(40)}`)).toEqual([]);
  });
});

describe("word lists", () => {
  it("are written with any white space between words", () => {
    expect(wordList(" a  b\n c ")).toEqual(["a", "b", "c"]);
    expect(wordSet("a b a")).toEqual(new Set(["a", "b"]));
  });

  it("of phrases become one pattern", () => {
    expect(anyPhrase("no longer,\n  any ?more")).toBe("(?:no longer|any ?more)");
  });
});
