import { anyPhrase } from "./word-lists.ts";
import { boundMarks } from "./words.ts";

/** Phrases of one idea in several languages. A phrase may be a pattern; accents and capitals do not matter. */
export interface Phrases {
  /** Whole words. */
  readonly words: string;
  /** Pieces of words: for scripts without spaces, and for languages that put the idea into an ending. */
  readonly pieces?: string;
}

const ACCENTS = /[\u0300-\u036f]+/g;

/** Small letters without accents, and one kind of apostrophe: the form that `phrasePattern` matches. */
export function foldText(text: string): string {
  return withoutAccents(boundMarks(text)).toLowerCase().replaceAll("’", "'");
}

/** A text without accents. */
export function withoutAccents(text: string): string {
  return text.normalize("NFKD").replace(ACCENTS, "").normalize("NFC");
}

/** A pattern that finds any of the phrases in a folded text; `start` is put before it. */
export function phrasePattern({ words, pieces }: Phrases, start = ""): RegExp {
  const whole = String.raw`(?<![\p{L}\p{M}\p{N}_])${anyPhrase(words)}(?![\p{L}\p{M}\p{N}_])`;
  return new RegExp(
    withoutAccents(`${start}(?:${pieces === undefined ? whole : `${whole}|${anyPhrase(pieces)}`})`),
    "u",
  );
}
