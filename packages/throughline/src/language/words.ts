/** The most combining marks on one letter: more than any script needs (UAX 15, stream-safe text format). */
export const MAX_MARKS = 30;
/** Half-width Katakana voicing marks are letters, but become combining marks when normalized. */
const EXCESS_MARKS = new RegExp(`([\\p{M}\uff9e\uff9f]{${MAX_MARKS}})[\\p{M}\uff9e\uff9f]+`, "gu");
/** Letters, marks and digits; an apostrophe inside a word does not end it. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*/gu;
/** Only the accents of Latin, Greek and Cyrillic: in other scripts marks are vowels. */
const ACCENTS = /[\u0300-\u036f]+/g;
/** Scripts without spaces between words. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;

/**
 * Cuts runs of combining marks down to a length that can be normalized in linear time.
 *
 * @example
 * boundMarks("e\u0301"); // unchanged
 */
export function boundMarks(text: string): string {
  return text.replace(EXCESS_MARKS, "$1");
}

/**
 * The words of a text in any script, in order: lower case, without accents and without the part after an apostrophe.
 *
 * @example
 * readWords("Zoë's café opens at 9."); // ["zoe", "cafe", "opens", "at", "9"]
 */
export function readWords(text: string): string[] {
  const plain = boundMarks(text).normalize("NFKD").replace(ACCENTS, "").normalize("NFC").toLowerCase();
  return (plain.match(WORD) ?? []).map((word) => word.replace(/['’].*$/, ""));
}

/**
 * Whether a text holds letters of a script that puts no spaces between words.
 *
 * @example
 * isUnspaced("東京"); // true
 */
export function isUnspaced(text: string): boolean {
  return UNSPACED.test(text);
}
