import { describe, expect, it } from "vitest";
import { readTerms } from "./terms.ts";

const words = (text: string): string[] => readTerms(text).map(({ word }) => word);
const same = (a: string, b: string): boolean => readTerms(a)[0]?.hash === readTerms(b)[0]?.hash;

describe("readTerms", () => {
  it("leaves out stop words", () => {
    expect(words("What is the name of the database?")).toEqual(["name", "database"]);
  });

  it.each([
    ["painted", "paintings"],
    ["went", "goes"],
    ["bought", "buy"],
    ["children", "child"],
    ["Café", "cafe"],
    ["Zoë's", "zoe"],
  ])("gives %s and %s the same hash", (a, b) => {
    expect(same(a, b)).toBe(true);
  });

  it("keeps numbers and names with digits", () => {
    expect(words("k8s v2 in 2023")).toEqual(["k8s", "v2", "2023"]);
  });

  it("gives pairs of letters for scripts without spaces, whole words for others", () => {
    expect(words("東京都")).toEqual(["東京", "京都"]);
    expect(words("한국어 हिन्दी Привет")).toEqual(["한국어", "हिन्दी", "привет"]);
  });

  it("cuts long runs of letters", () => {
    expect(words("a".repeat(10_000))).toEqual(["a".repeat(64)]);
  });

  it("hashes stems as search entries store them", () => {
    expect(readTerms("databases went")).toEqual([
      { word: "databases", hash: 2_839_207_250 },
      { word: "went", hash: 4_281_540_336 },
    ]);
  });
});
