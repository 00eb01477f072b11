import { boundMarks } from "./bound-marks.ts";

/** Words are letters and digits; an apostrophe within does not end one. */
const WORD = /[\p{L}\p{N}\p{M}]+(?:['’][\p{L}]+)*/gu;
/** Only those of Latin, Greek and Cyrillic: elsewhere marks are vowels. */
const ACCENTS = /[\u0300-\u036f]+/g;

/**
 * The words of a text in lower case, without accents and without what follows an apostrophe, in order.
 *
 * @example
 * readWords("Zoë's café opens at 9."); // ["zoe", "cafe", "opens", "at", "9"]
 */
export function readWords(text: string): string[] {
  const plain = boundMarks(text).normalize("NFKD").replace(ACCENTS, "").normalize("NFC").toLowerCase();
  return (plain.match(WORD) ?? []).map((word) => word.replace(/['’].*$/, ""));
}
