import { describe, expect, it } from "vitest";
import { BpeCounter } from "./count-bpe.ts";
import { tokenRanks } from "./token-ranks.ts";
import { packVocabulary, Vocabulary } from "./vocabulary.ts";

describe("a pattern of words that leaves out a part of the text", () => {
  it.each(["a+", "a*"])("is an error: %s", (words) => {
    const counter = new BpeCounter(new Vocabulary(packVocabulary(tokenRanks("o200k_base"))), words);
    expect(counter.count("aaa")).toBeGreaterThan(0);
    expect(() => counter.count("aaab")).toThrow(
      "Cannot count tokens: the pattern of the encoding matches nothing at character 3.",
    );
  });
});
