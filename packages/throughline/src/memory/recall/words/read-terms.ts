import { baseForm } from "../../contradictions/words/base-form.ts";
import { readWords } from "./read-words.ts";
import { stem } from "./stem.ts";
import { isStopWord } from "./stop-words.ts";

/** A word that search looks for: as it was written, and the number that stands for its stem. */
export interface Term {
  readonly word: string;
  readonly hash: number;
}

/** Scripts that put no spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
/** A longer run of letters is no word: encoded data and the like is found by its beginning. */
const LONGEST = 64;

/**
 * The words of a text that say what it is about, in order: without stop words; texts without spaces between words by
 * pairs of letters.
 *
 * @example
 * readTerms("What is the database?").map(({ word }) => word); // ["database"]
 */
export function readTerms(text: string): Term[] {
  return readWords(text)
    .flatMap((word) => (UNSPACED.test(word) ? pairs(word) : [word.slice(0, LONGEST)]))
    .filter((word) => !isStopWord(word))
    .map((word) => ({ word, hash: hashText(stem(baseForm(word))) }));
}

function pairs(run: string): string[] {
  const letters = [...run];
  return letters.length === 1 ? letters : letters.slice(1).map((letter, at) => `${letters[at] ?? ""}${letter}`);
}

/** 32 bits of a text, FNV-1a with its bits stirred; never 0, which means an empty place in tables. */
export function hashText(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
  return (hash ^ (hash >>> 16)) >>> 0 || 1;
}
