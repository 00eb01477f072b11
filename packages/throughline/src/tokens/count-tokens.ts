import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import type { Counter } from "../ports/model.ts";
import { BpeCounter } from "./bpe/count-bpe.ts";
import { type Encoding, tokenRanks } from "./bpe/token-ranks.ts";
import { cachedVocabulary, packVocabulary, Vocabulary } from "./bpe/vocabulary.ts";
import { encodingFor } from "./model-limits.ts";

/** Margin for models without a public tokenizer, until their reported usage is known. */
const UNKNOWN_TOKENIZER_MARGIN = 1.1;

/**
 * Counts the tokens of a text in OpenAI's current encoding (o200k_base). Text that looks like a special token counts as
 * text.
 *
 * @param text Text to count.
 *
 * @example
 * countTokens("Hello, world"); // 3
 */
export function countTokens(text: string): number {
  return countInEncoding("o200k_base", text);
}

/**
 * Counts the tokens of a text for a model: exactly for OpenAI models, with a margin of 10% for others.
 *
 * @param text Text to count.
 * @param modelId Model to count for.
 *
 * @example
 * countTokensWithModelAdjustment("Hello, world", "claude-sonnet-4-5");
 */
export function countTokensWithModelAdjustment(text: string, modelId: string): number {
  return counterFor(modelId).count(text);
}

/**
 * Returns the counter of a model.
 *
 * @param modelId Model to count for.
 * @param ratio Reported tokens per counted token, if known. Replaces the default margin.
 *
 * @example
 * counterFor("gpt-4o").count("Hello, world"); // 3
 */
export function counterFor(modelId: string, ratio?: number): Counter {
  const encoding = encodingFor(modelId);
  const factor = ratio ?? (encoding === undefined ? UNKNOWN_TOKENIZER_MARGIN : 1);
  const base = encoding ?? "o200k_base";
  const name = factor === 1 ? base : `${base}×${factor}`;
  const isExact = encoding !== undefined && factor === 1;
  const adjusted = (counted: number) => (factor === 1 ? counted : Math.ceil(counted * factor));
  return {
    name,
    exact: isExact,
    margin: factor,
    count: (text) => adjusted(countInEncoding(base, text)),
    countYielding: async (text) => adjusted(await countInEncodingYielding(base, text)),
  };
}

const CONTRACTION = "'(?:[sS]|[dD]|[mM]|[tT]|[lL][lL]|[vV][eE]|[rR][eE])";
const LEAD = String.raw`[^\r\n\p{L}\p{N}]?`;
const UPPER = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const LOWER = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;
const DIGITS = String.raw`\p{N}{1,3}`;
// Not `\s`: the encodings use Unicode white space, which differs from JavaScript's in U+FEFF and U+0085.
const SPACE = String.raw`\p{White_Space}`;
const SPACE_BEFORE_WORD = String.raw`${SPACE}+(?!\P{White_Space})`;
const SIGNS = String.raw` ?[^${SPACE}\p{L}\p{N}]+`;

/** Patterns that split a text into words, per encoding. Tokens never cross a word border. */
const WORDS: Readonly<Record<Encoding, readonly string[]>> = {
  o200k_base: [
    `${LEAD}${UPPER}*${LOWER}+(?:${CONTRACTION})?`,
    `${LEAD}${UPPER}+${LOWER}*(?:${CONTRACTION})?`,
    DIGITS,
    String.raw`${SIGNS}[\r\n/]*`,
    String.raw`${SPACE}*[\r\n]+`,
    SPACE_BEFORE_WORD,
    `${SPACE}+`,
  ],
  cl100k_base: [
    CONTRACTION,
    String.raw`${LEAD}\p{L}+`,
    DIGITS,
    String.raw`${SIGNS}[\r\n]*`,
    `${SPACE}+$`,
    String.raw`${SPACE}*[\r\n]`,
    SPACE_BEFORE_WORD,
    SPACE,
  ],
};

const built = new Map<Encoding, BpeCounter>();

/** Counts tokens in one of OpenAI's encodings. */
export function countInEncoding(encoding: Encoding, text: string): number {
  return counterOf(encoding).count(text);
}

/** Same as `countInEncoding`; other tasks can run between the pieces of a long text. */
async function countInEncodingYielding(encoding: Encoding, text: string): Promise<number> {
  let tokens = 0;
  for (const counted of counterOf(encoding).steps(text)) {
    tokens += counted;
    await yieldToEventLoop();
  }
  return tokens;
}

/** Returns the counter of an encoding. Its tables are built on first use. */
function counterOf(encoding: Encoding): BpeCounter {
  let counter = built.get(encoding);
  if (counter === undefined) {
    const packed = cachedVocabulary(encoding, () => packVocabulary(tokenRanks(encoding)));
    counter = new BpeCounter(new Vocabulary(packed), WORDS[encoding].join("|"));
    built.set(encoding, counter);
  }
  return counter;
}
