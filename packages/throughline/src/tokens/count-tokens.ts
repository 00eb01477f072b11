import type { Counter } from "../ports/counter.ts";
import { countInEncoding, countInEncodingYielding } from "./encodings.ts";
import { encodingFor } from "./model-family.ts";

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
