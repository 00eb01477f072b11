import { afterEach, describe, expect, it } from "vitest";
import { countTokens } from "../count-tokens.ts";
import { BpeCounter } from "./count-bpe.ts";
import { type Encoding, tokenRanks } from "./token-ranks.ts";
import { cachedVocabulary, packVocabulary, useVocabularyCache, Vocabulary } from "./vocabulary.ts";

const kept = new Map<Encoding, Int32Array>();
const ENCODING = "o200k_base";
let built = 0;

function open(): Int32Array {
  return cachedVocabulary(ENCODING, () => {
    built += 1;
    return packVocabulary(tokenRanks(ENCODING));
  });
}

afterEach(() => {
  kept.clear();
  built = 0;
});

describe("a cache of vocabularies", () => {
  useVocabularyCache({
    load: (encoding) => kept.get(encoding),
    store: (encoding, packed) => void kept.set(encoding, packed.slice()),
  });

  it("is built once and counts the same tokens from the cache", () => {
    open();
    const counter = new BpeCounter(new Vocabulary(open()), "\\s?\\S+|\\s");
    expect(built).toBe(1);
    expect(counter.count("unbelievable 東京 naïve")).toBe(countTokens("unbelievable 東京 naïve"));
  });

  it.each([
    ["a file of zeros", new Int32Array(1_638_401)],
    ["a part of a file", new Int32Array(100_000).fill(1)],
    ["an empty file", new Int32Array(0)],
  ])("is built again if the cache has %s", (_, packed) => {
    kept.set(ENCODING, packed);
    open();
    expect(built).toBe(1);
    expect(kept.get(ENCODING)?.[0]).toBeGreaterThan(1);
  });
});
