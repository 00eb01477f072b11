import { describe, expect, it } from "vitest";
import { anyPhrase, wordList, wordSet } from "./word-lists.ts";

describe("word lists", () => {
  it("are written with any white space between words", () => {
    expect(wordList(" a  b\n c ")).toEqual(["a", "b", "c"]);
    expect(wordSet("a b a")).toEqual(new Set(["a", "b"]));
  });

  it("of phrases become one pattern", () => {
    expect(anyPhrase("no longer,\n  any ?more")).toBe("(?:no longer|any ?more)");
  });
});
