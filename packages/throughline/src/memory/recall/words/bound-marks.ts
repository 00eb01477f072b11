/** As many marks on one letter as any writing has, and as the Unicode standard takes for safe (UAX 15, stream-safe text). */
export const MAX_MARKS = 30;
/** The two of Katakana are letters here, and marks as soon as they are normalised. */
const TOO_MANY = new RegExp(`([\\p{M}\uff9e\uff9f]{${MAX_MARKS}})[\\p{M}\uff9e\uff9f]+`, "gu");

/** A text without what goes beyond so many marks in a row: normalising puts them in order, two by two. */
export function boundMarks(text: string): string {
  return text.replace(TOO_MANY, "$1");
}
