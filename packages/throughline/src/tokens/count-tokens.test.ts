import fc from "fast-check";
import { get_encoding } from "tiktoken";
import { afterAll, describe, expect, it } from "vitest";
import { cases } from "../../test/cases.ts";
import type { Encoding } from "./bpe/token-ranks.ts";
import { counterFor, countInEncoding, countTokens, countTokensWithModelAdjustment } from "./count-tokens.ts";

// OpenAI's own tokenizer as reference.
const truth = { o200k_base: get_encoding("o200k_base"), cl100k_base: get_encoding("cl100k_base") };
const ENCODINGS: readonly Encoding[] = ["o200k_base", "cl100k_base"];
const realCount = (encoding: Encoding, text: string) => truth[encoding].encode(text.toWellFormed(), [], []).length;

afterAll(() => {
  for (const encoding of ENCODINGS) truth[encoding].free();
});

const word = fc.oneof(
  fc.string(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(
    "the ",
    "function ",
    "\n\n",
    "    ",
    "don't",
    "I'LL",
    "<|endoftext|>",
    "\uD800",
    "\uFEFF",
    "\u0085",
    "你好",
    "😀",
    "===",
  ),
  fc.nat().map(String),
);

describe.each(ENCODINGS)("counting in %s", (encoding) => {
  it("matches OpenAI's count for any text", () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 40 }), (words) => {
        const text = words.join("");
        expect(countInEncoding(encoding, text)).toBe(realCount(encoding, text));
      }),
      { numRuns: cases(200) },
    );
  });

  it("matches OpenAI's count for long runs without a break, merged in windows", () => {
    const unit = fc.oneof(
      fc.string({ minLength: 1, maxLength: 12 }),
      fc.constantFrom("a", "-", "ab", "Ab1", "é", "语", "😀", " ", "\n"),
    );
    fc.assert(
      fc.property(unit, fc.integer({ min: 50, max: 400 }), fc.string(), (repeated, times, tail) => {
        const text = repeated.repeat(times) + tail;
        expect(countInEncoding(encoding, text)).toBe(realCount(encoding, text));
      }),
      { numRuns: cases(60) },
    );
  });

  it("matches OpenAI's count for base64, hexadecimal and random bytes", () => {
    const bytes = fc.uint8Array({ minLength: 600, maxLength: 3_000 });
    fc.assert(
      fc.property(bytes, fc.constantFrom("base64", "hex", "latin1"), (data, form) => {
        const text = Buffer.from(data).toString(form as BufferEncoding);
        expect(countInEncoding(encoding, text)).toBe(realCount(encoding, text));
      }),
      { numRuns: cases(40) },
    );
  });

  it("counts a text of several segments as one", () => {
    const sentence = "The quick brown fox doesn't jump; 12345 lazy dogs do.\n";
    const text = sentence.repeat(40_000);
    expect(text.length).toBeGreaterThan(2 * 2 ** 20);
    expect(countInEncoding(encoding, text)).toBe(realCount(encoding, text));
  });

  it("terminates on five million of the same letter", () => {
    expect(countInEncoding(encoding, "a".repeat(5_000_000))).toBe(625_000);
  });
});

describe("countTokens", () => {
  it("treats text that looks like a special token as text", () => {
    expect(countTokens("<|endoftext|>")).toBeGreaterThan(1);
  });

  it("counts empty text as 0", () => {
    expect(countTokens("")).toBe(0);
  });
});

describe("counterFor", () => {
  it("is exact for OpenAI models, each in its encoding", () => {
    const text = "Ein naïver Text mit Umlauten: äöü, и немного русского.";
    for (const modelId of [
      "gpt-4o",
      "openai/gpt-5-mini",
      "o3",
      "gpt-4.1-2025-04-14",
      "openrouter/openai/gpt-4o-mini",
    ]) {
      expect(counterFor(modelId).exact).toBe(true);
      expect(countTokensWithModelAdjustment(text, modelId)).toBe(realCount("o200k_base", text));
    }
    for (const modelId of ["gpt-4", "gpt-4-turbo", "openai/gpt-3.5-turbo-0125"]) {
      expect(countTokensWithModelAdjustment(text, modelId)).toBe(realCount("cl100k_base", text));
    }
  });

  it("adds 10% for models without a public tokenizer", () => {
    const text = "hello world ".repeat(100);
    const base = countTokens(text);
    for (const modelId of ["anthropic/claude-3.5-sonnet", "gemini-2.5-pro", "some-local-model"]) {
      expect(counterFor(modelId).exact).toBe(false);
      expect(countTokensWithModelAdjustment(text, modelId)).toBe(Math.ceil(base * 1.1));
    }
  });

  it("uses the reported ratio instead of the margin once it is known", () => {
    const text = "hello world ".repeat(100);
    expect(counterFor("claude-sonnet-4-5", 1.25).count(text)).toBe(Math.ceil(countTokens(text) * 1.25));
  });
});
