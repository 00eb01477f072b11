import { stem } from "../language/stem.ts";
import { readTerms } from "../language/terms.ts";
import { readWords } from "../language/words.ts";
import { toUnitLength } from "../ports/embedder.ts";
import { DIMENSIONS, type WordTable } from "./word-table.ts";

/** Maximum characters per text: the mean of more words is not meaningful. */
const MAX_TEXT_LENGTH = 10_000;
/** A word with this share of all text gets half weight: frequent words say little about a topic. */
const COMMON_SHARE = 1e-4;
/** Weight of an unknown word. It only resembles itself, which distinguishes names. */
const UNKNOWN_WEIGHT = 2;
/** Cache limits: number of words and word length. */
const CACHE_LIMITS = { words: 20_000, letters: 40 };

type Part = Float32Array;

/**
 * Returns a function that embeds texts: the mean of the word vectors, with more weight for rare words, minus the
 * direction common to all texts.
 */
export function wordMeans(table: WordTable): (text: string) => Float32Array {
  const known = new Map<string, Part>();
  const partOf = (word: string): Part => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const part = weighWord(word, table);
    if (word.length > CACHE_LIMITS.letters) return part;
    if (known.size >= CACHE_LIMITS.words) known.clear();
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

/** Words that are looked up by their stem and by their parts. */
const PLAIN = /^[a-z]{4,40}$/;

/** −ln of the share that a word, or a related word, has of all text; `undefined` for an unknown word. */
export function wordRarity(word: string, table: WordTable): number | undefined {
  const row = table.find(word) ?? (PLAIN.test(word) ? findRelative(word, table) : undefined);
  return row === undefined ? undefined : table.rarity(row);
}

function weighWord(word: string, table: WordTable): Part {
  const part = new Float32Array(DIMENSIONS);
  const rows = findRows(word, table);
  for (const row of rows) {
    const share = Math.exp(-table.rarity(row));
    const weight = (table.scale * COMMON_SHARE) / ((COMMON_SHARE + share) * rows.length);
    add(part, table.values(row), weight);
  }
  // Unknown words are split like search terms: by stem, or by character pairs in scripts without spaces.
  if (rows.length === 0) for (const { hash } of readTerms(word)) addDirection(part, hash);
  return part;
}

/** Adds a pseudorandom direction: the same for the same seed, nearly orthogonal for different ones. */
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

/** Endings to try for a stem. */
const ENDINGS = ["", "e", "s", "ing", "ed", "er", "y", "es", "ion", "al"];
/** Minimum length of the parts of a compound. */
const MIN_PART_LENGTH = 3;
/** Only the most frequent words form compounds: "thus" and "ness" would match too often. */
const PART_ROWS = 15_000;

/**
 * Finds the rows of a word: its own, that of a related word ("repainted" → "repaint"), or those of its two parts
 * ("bookshelf" → "book", "shelf"). Empty if none match.
 */
function findRows(word: string, table: WordTable): readonly number[] {
  const own = table.find(word);
  if (own !== undefined) return [own];
  if (!PLAIN.test(word)) return [];
  const relative = findRelative(word, table);
  return relative === undefined ? findParts(word, table) : [relative];
}

function findRelative(word: string, table: WordTable): number | undefined {
  const base = stem(word);
  if (base.length < MIN_PART_LENGTH) return undefined;
  const bare = base.endsWith("i") ? base.slice(0, -1) : base;
  for (const ending of ENDINGS) {
    const row = table.find(bare + ending);
    if (row !== undefined) return row;
  }
  return undefined;
}

function findParts(word: string, table: WordTable): readonly number[] {
  // The longest first part whose remainder is a word.
  for (let cut = word.length - MIN_PART_LENGTH; cut >= MIN_PART_LENGTH; cut -= 1) {
    const parts = [table.find(word.slice(0, cut)), table.find(word.slice(cut))].filter((row) => row !== undefined);
    if (parts.length === 2 && parts.every((row) => row < PART_ROWS)) return parts;
  }
  return [];
}
