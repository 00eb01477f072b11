import { describe, expect, it } from "vitest";
import { readTerms } from "./read-terms.ts";

const words = (text: string): string[] => readTerms(text).map(({ word }) => word);
const same = (a: string, b: string): boolean => readTerms(a)[0]?.hash === readTerms(b)[0]?.hash;

describe("readTerms", () => {
  it("leaves out words that say nothing", () => {
    expect(words("What is the name of the database?")).toEqual(["name", "database"]);
  });

  it.each([
    ["painted", "paintings"],
    ["went", "goes"],
    ["bought", "buy"],
    ["children", "child"],
    ["Café", "cafe"],
    ["Zoë's", "zoe"],
  ])("takes %s and %s for one", (a, b) => {
    expect(same(a, b)).toBe(true);
  });

  it("keeps numbers, and names of letters and numbers", () => {
    expect(words("k8s v2 in 2023")).toEqual(["k8s", "v2", "2023"]);
  });

  it("reads scripts without spaces by pairs of letters, and others whole", () => {
    expect(words("東京都")).toEqual(["東京", "京都"]);
    expect(words("한국어 हिन्दी Привет")).toEqual(["한국어", "हिन्दी", "привет"]);
  });

  it("cuts off what is no word", () => {
    expect(words("a".repeat(10_000))).toEqual(["a".repeat(64)]);
  });
});
