import { yieldToEventLoop } from "../internal/yield-to-event-loop.ts";
import { BpeCounter } from "./bpe/count-bpe.ts";
import { type Encoding, tokenRanks } from "./bpe/token-ranks.ts";

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
export async function countInEncodingYielding(encoding: Encoding, text: string): Promise<number> {
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
    counter = new BpeCounter(tokenRanks(encoding), WORDS[encoding].join("|"));
    built.set(encoding, counter);
  }
  return counter;
}
