import type { Counter } from "../ports/counter.ts";
import { countInEncoding, countInEncodingYielding } from "./encodings.ts";
import { encodingFor } from "./model-family.ts";

/** What is added for a model whose tokenizer nobody publishes, until it has reported what it really used. */
const UNKNOWN_TOKENIZER_MARGIN = 1.1;

/**
 * Counts the tokens of a text by OpenAI's current encoding (o200k). Text that looks like a special token is text.
 *
 * @example
 * countTokens("Hello, world"); // 3
 */
export function countTokens(text: string): number {
  return countInEncoding("o200k_base", text);
}

/**
 * Counts for a model: exactly for OpenAI's, with a margin of 10% for others.
 *
 * @example
 * countTokensWithModelAdjustment("Hello, world", "claude-sonnet-4-5");
 */
export function countTokensWithModelAdjustment(text: string, modelId: string): number {
  return counterFor(modelId).count(text);
}

/**
 * The counter for a model. `ratio` is what the provider reported over what was counted, once that is known; it then
 * takes the place of the margin.
 *
 * @example
 * counterFor("gpt-4o").count("Hello, world");
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
