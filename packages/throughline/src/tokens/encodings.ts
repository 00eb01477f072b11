import cl100kRanks from "gpt-tokenizer/bpeRanks/cl100k_base";
import o200kRanks from "gpt-tokenizer/bpeRanks/o200k_base";
import { CL100K_TOKEN_SPLIT_REGEX, O200K_TOKEN_SPLIT_REGEX } from "gpt-tokenizer/encodingParams/constants";
import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import { BpeCounter } from "./bpe/count-bpe.ts";
import type { Ranks } from "./bpe/vocabulary.ts";

export type Encoding = "o200k_base" | "cl100k_base";

const SOURCES: Readonly<Record<Encoding, { readonly ranks: Ranks; readonly pattern: RegExp }>> = {
  o200k_base: { ranks: o200kRanks, pattern: O200K_TOKEN_SPLIT_REGEX },
  cl100k_base: { ranks: cl100kRanks, pattern: CL100K_TOKEN_SPLIT_REGEX },
};

const built = new Map<Encoding, BpeCounter>();

/** Counts in one of OpenAI's encodings. */
export function countInEncoding(encoding: Encoding, text: string): number {
  return counterOf(encoding).count(text);
}

/** The same, and other tasks get the thread between the pieces of a long text. */
export async function countInEncodingYielding(encoding: Encoding, text: string): Promise<number> {
  let tokens = 0;
  for (const counted of counterOf(encoding).steps(text)) {
    tokens += counted;
    await yieldToEventLoop();
  }
  return tokens;
}

/** Its tables are built at the first count. */
function counterOf(encoding: Encoding): BpeCounter {
  let counter = built.get(encoding);
  if (counter === undefined) {
    const { ranks, pattern } = SOURCES[encoding];
    counter = new BpeCounter(ranks, withUnicodeSpace(pattern));
    built.set(encoding, counter);
  }
  return counter;
}

/** `\s` of JavaScript is not that of the encodings, which is Unicode's: they differ in U+FEFF and U+0085. */
function withUnicodeSpace({ source }: RegExp): RegExp {
  return new RegExp(source.replaceAll("\\s", "\\p{White_Space}").replaceAll("\\S", "\\P{White_Space}"), "u");
}
