import { stem } from "../../memory/recall/words/stem.ts";

/** Endings under which a stem may be known. */
const ENDINGS = ["", "e", "s", "ing", "ed", "er", "y", "es", "ion", "al"];
/** Parts of a compound are words of their own, and not too short ones. */
const MIN_PART_LENGTH = 3;
/** Rarer words do not make compounds: "thus" and "ness" would be found in too much. */
const PART_ROWS = 15_000;

/**
 * The rows that stand for a word: its own, that of a relative ("repainted" by "repaint"), or those of its two parts
 * ("bookshelf" by "book" and "shelf"). None where nothing fits.
 */
export function findRows(word: string, rows: ReadonlyMap<string, number>): readonly number[] {
  const own = rows.get(word);
  if (own !== undefined) return [own];
  if (!/^[a-z]{4,40}$/.test(word)) return [];
  const relative = findRelative(word, rows);
  return relative === undefined ? findParts(word, rows) : [relative];
}

function findRelative(word: string, rows: ReadonlyMap<string, number>): number | undefined {
  const base = stem(word);
  if (base.length < MIN_PART_LENGTH) return undefined;
  const bare = base.endsWith("i") ? base.slice(0, -1) : base;
  return ENDINGS.map((ending) => rows.get(bare + ending)).find((row) => row !== undefined);
}

function findParts(word: string, rows: ReadonlyMap<string, number>): readonly number[] {
  // The longest beginning that leaves a word behind it.
  for (let cut = word.length - MIN_PART_LENGTH; cut >= MIN_PART_LENGTH; cut -= 1) {
    const parts = [rows.get(word.slice(0, cut)), rows.get(word.slice(cut))].filter((row) => row !== undefined);
    if (parts.length === 2 && parts.every((row) => row < PART_ROWS)) return parts;
  }
  return [];
}
