import { stem } from "./stem.ts";
import { isStopWord } from "./stop-words.ts";
import { isUnspaced, readWords } from "./words.ts";

/** A search term: the word as written, and the hash of its stem. */
export interface Term {
  readonly word: string;
  readonly hash: number;
}

/** Maximum length of a term. Longer runs of letters, such as encoded data, are cut. */
const MAX_WORD_LENGTH = 64;

/**
 * The search terms of a text, in order and without stop words. Text in a script without spaces between words is split
 * into pairs of letters.
 *
 * @example
 * readTerms("What is the database?").map(({ word }) => word); // ["database"]
 */
export function readTerms(text: string): Term[] {
  return readWords(text)
    .flatMap((word) => (isUnspaced(word) ? letterPairs(word) : [word.slice(0, MAX_WORD_LENGTH)]))
    .filter((word) => !isStopWord(word))
    .map((word) => ({ word, hash: hashText(stem(word, { irregular: true })) }));
}

/**
 * The hashes of the search terms of a text, each once.
 *
 * @example
 * termHashes("databases").has(readTerms("database")[0]?.hash ?? 0); // true
 */
export function termHashes(text: string): Set<number> {
  return new Set(readTerms(text).map(({ hash }) => hash));
}

function letterPairs(run: string): string[] {
  const letters = [...run];
  return letters.length === 1 ? letters : letters.slice(1).map((letter, at) => `${letters[at] ?? ""}${letter}`);
}

/**
 * A 32-bit hash of a text (FNV-1a with a final mix). Never 0, which marks an empty slot in tables.
 *
 * @example
 * hashText("database") === hashText("database"); // true
 */
export function hashText(text: string): number {
  let hash = 2_166_136_261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 16), 2_246_822_507);
  hash = Math.imul(hash ^ (hash >>> 13), 3_266_489_909);
  return (hash ^ (hash >>> 16)) >>> 0 || 1;
}
