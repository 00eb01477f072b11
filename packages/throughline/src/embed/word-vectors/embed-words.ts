import { readTerms } from "../../memory/recall/words/read-terms.ts";
import { readWords } from "../../memory/recall/words/read-words.ts";
import { toUnitLength } from "../to-unit-length.ts";
import { findRows } from "./find-rows.ts";
import { DIMENSIONS, type WordTable } from "./word-table.ts";

/** Characters of a text that are read: the mean of more words than that says nothing any more. */
const MAX_TEXT_LENGTH = 10_000;
/** A word of this share of all text counts half: frequent words say little of what a text is about. */
const COMMON_SHARE = 1e-4;
/** How much a word counts that nothing is known of. It only ever resembles itself, which tells names apart. */
const UNKNOWN_WEIGHT = 2;
/** How many words' parts are remembered, and up to which length. */
const REMEMBERED = { words: 20_000, letters: 40 };

/** One word's part in a text, its weight included. */
type Part = Float32Array;

/** Makes vectors of texts: the mean of their words' rows, rare words more, without what all texts have in common. */
export function wordMeans(table: WordTable): (text: string) => Float32Array {
  const known = new Map<string, Part>();
  const partOf = (word: string): Part => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const part = weighWord(word, table);
    if (word.length > REMEMBERED.letters) return part;
    if (known.size >= REMEMBERED.words) known.clear();
    known.set(word, part);
    return part;
  };
  return (text) => {
    const sum = new Float32Array(DIMENSIONS);
    for (const word of readWords(text.slice(0, MAX_TEXT_LENGTH))) add(sum, partOf(word), 1);
    add(sum, table.common, -dot(sum, table.common));
    return toUnitLength(sum);
  };
}

function weighWord(word: string, table: WordTable): Part {
  const part = new Float32Array(DIMENSIONS);
  const rows = findRows(word, table.rows);
  for (const row of rows) {
    const share = Math.exp(-table.rarity(row));
    const weight = (table.scale * COMMON_SHARE) / ((COMMON_SHARE + share) * rows.length);
    add(part, table.values.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS), weight);
  }
  // An unknown word counts as search reads it: by its stem, and where no spaces stand between words by pairs of letters.
  if (rows.length === 0) for (const { hash } of readTerms(word)) addDirection(part, hash);
  return part;
}

/** The same number always has the same direction, and two of them hardly ever similar ones. */
function addDirection(part: Part, seed: number): void {
  const size = UNKNOWN_WEIGHT / Math.sqrt(DIMENSIONS);
  let state = seed;
  for (let at = 0; at < DIMENSIONS; at += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    part[at] = (part[at] as number) + (state < 0 ? -size : size);
  }
}

function add(sum: Float32Array, part: Float32Array | Int8Array, factor: number): void {
  for (let at = 0; at < DIMENSIONS; at += 1) sum[at] = (sum[at] as number) + factor * (part[at] as number);
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
}
