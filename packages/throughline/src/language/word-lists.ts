import { boundMarks } from "./words.ts";

/**
 * Splits a list of words at white space.
 *
 * @example
 * wordList("monday tuesday"); // ["monday", "tuesday"]
 */
export function wordList(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}

/**
 * The same as a set.
 *
 * @example
 * wordSet("yes no").has("yes"); // true
 */
export function wordSet(list: string): ReadonlySet<string> {
  return new Set(wordList(list));
}

/**
 * The source of a pattern that matches any phrase of a list. Phrases are separated by a comma and a space, and may be
 * patterns.
 *
 * @example
 * new RegExp(anyPhrase("no longer, any ?more")).test("not anymore"); // true
 */
export function anyPhrase(list: string): string {
  return `(?:${list.trim().replace(/\s+/g, " ").split(", ").join("|")})`;
}

/** Phrases for one idea in several languages. A phrase may be a pattern. Accents and case are ignored. */
export interface Phrases {
  /** Whole words. */
  readonly words: string;
  /** Parts of words, for scripts without spaces and for languages that express the idea by an inflection. */
  readonly pieces?: string;
}

const ACCENTS = /[\u0300-\u036f]+/g;

/** Lower case without accents, with straight apostrophes: the form that `phrasePattern` matches. */
export function foldText(text: string): string {
  return withoutAccents(boundMarks(text)).toLowerCase().replaceAll("’", "'");
}

/** A text without accents. */
export function withoutAccents(text: string): string {
  return text.normalize("NFKD").replace(ACCENTS, "").normalize("NFC");
}

/** Tests whether a folded text matches. */
interface PhrasePattern {
  test(text: string): boolean;
}

/**
 * A pattern that matches any of the phrases in a folded text. `start` is prepended. It is compiled when it is first
 * used.
 */
export function phrasePattern({ words, pieces }: Phrases, start = ""): PhrasePattern {
  let compiled: RegExp | undefined;
  const compile = () => {
    const whole = String.raw`(?<![\p{L}\p{M}\p{N}_])${anyPhrase(words)}(?![\p{L}\p{M}\p{N}_])`;
    const any = pieces === undefined ? whole : `${whole}|${anyPhrase(pieces)}`;
    return new RegExp(withoutAccents(`${start}(?:${any})`), "u");
  };
  return {
    test(text) {
      compiled ??= compile();
      return compiled.test(text);
    },
  };
}
