import { at, Merger, NO_RANK, Piece, type Vocabulary } from "./vocabulary.ts";

/**
 * Long pieces are merged in windows, so memory is bounded and time is linear. A window is counted up to a token border
 * far enough from its end that the following text cannot change it; the next window starts there.
 */
const SHORT = { chars: 256, overlap: 24 };
/** Windows for stretches with long tokens, such as a line of dashes. */
const LONG = { chars: 1024, overlap: 260 };

/** Up to three bytes per character; two characters take four bytes. */
const CAPACITY = 3 * LONG.chars + 8;

/** Longer runs overflow the stack of the regular expression engine. */
const SEGMENT = 1 << 20;

/** Counts tokens exactly by byte-pair encoding, in linear time for every text. */
export class BpeCounter {
  readonly #vocabulary: Vocabulary;
  readonly #piece: Piece;
  readonly #merger: Merger;
  readonly #windows: WindowCounter;
  readonly #words: RegExp;

  /** @param words Pattern that splits a text into words. */
  constructor(vocabulary: Vocabulary, words: string) {
    this.#vocabulary = vocabulary;
    this.#piece = new Piece(CAPACITY);
    this.#merger = new Merger(this.#vocabulary, CAPACITY);
    this.#windows = new WindowCounter(this.#piece, this.#merger);
    this.#words = new RegExp(words, "gu");
  }

  count(input: string): number {
    let tokens = 0;
    for (const counted of this.steps(input)) tokens += counted;
    return tokens;
  }

  /** Counts piece by piece, so that other tasks can run in between. The counts add up to the total. */
  *steps(input: string): Generator<number> {
    const text = input.toWellFormed();
    for (let start = 0; start < text.length; ) {
      const end = windowEnd(text, start, text.length, SEGMENT);
      const isAll = start === 0 && end === text.length;
      const counted = this.#countSegment(isAll ? text : text.slice(start, end), end === text.length);
      start += counted.chars;
      yield counted.tokens;
    }
  }

  /** Counts the words of a segment. The last few words may continue in the next segment, so they are counted there. */
  #countSegment(segment: string, isLast: boolean): { tokens: number; chars: number } {
    const words = this.#words;
    const starts = [0, 0, 0, 0];
    const counts = [0, 0, 0, 0];
    let tokens = 0;
    words.lastIndex = 0;
    for (let from = 0, n = 0; from < segment.length; n = (n + 1) & 3) {
      starts[n] = from;
      counts[n] = tokens;
      if (!words.test(segment) || words.lastIndex === from)
        throw new Error(`Cannot count tokens: the pattern of the encoding matches nothing at character ${from}.`);
      tokens += this.#countWord(segment, from, words.lastIndex);
      from = words.lastIndex;
    }
    const oldest = Math.min(...starts);
    if (isLast || oldest === 0) return { tokens, chars: segment.length };
    return { tokens: Math.min(...counts), chars: oldest };
  }

  #countWord(text: string, from: number, to: number): number {
    const first = text.charCodeAt(from);
    const second = text.charCodeAt(from + 1);
    if (to - from === 1 && first < 0x80) return 1;
    // Fast path: base64 consists mostly of such pairs.
    if (to - from === 2 && (first | second) < 0x80) return this.#vocabulary.pairRank(first, second) === NO_RANK ? 2 : 1;
    if (to - from > SHORT.chars) return this.#windows.count(text, from, to);
    const piece = this.#piece;
    piece.load(text, from, to);
    return this.#vocabulary.rank(piece, 0, piece.length) === NO_RANK ? this.#merger.merge(piece) : 1;
  }
}

/** Number of windows that stay long after one had to be. */
const STAY_LONG = 8;

/** Count of a window. The last one is cached, because a run of one letter produces the same window repeatedly. */
interface CountedWindow {
  readonly hash1: number;
  readonly hash2: number;
  readonly length: number;
  readonly overlap: number;
  readonly tokens: number;
  /** Number of tokens that do not depend on the following text, and their length in characters. */
  readonly final: number;
  readonly chars: number;
  readonly longest: number;
}

/** Counts the tokens of pieces that are too long to merge at once. */
class WindowCounter {
  readonly #piece: Piece;
  readonly #merger: Merger;
  #last: CountedWindow | undefined;

  constructor(piece: Piece, merger: Merger) {
    this.#piece = piece;
    this.#merger = merger;
  }

  count(text: string, from: number, to: number): number {
    let count = 0;
    let long = 0;
    let start = from;
    for (;;) {
      const { chars, overlap } = long > 0 ? LONG : SHORT;
      const end = windowEnd(text, start, to, chars);
      this.#piece.load(text, start, end);
      const window = this.#countLoaded(overlap);
      if (end === to) return count + window.tokens;
      if (long === 0 && window.longest * 2 > overlap) {
        long = STAY_LONG;
        continue;
      }
      long = Math.max(0, long - 1);
      count += window.final === 0 ? window.tokens : window.final;
      start = window.final === 0 ? end : start + window.chars;
    }
  }

  #countLoaded(overlap: number): CountedWindow {
    const piece = this.#piece;
    const { length } = piece;
    const hash1 = piece.hash1(0, length);
    const hash2 = piece.hash2(0, length);
    const last = this.#last;
    const isLast = last?.hash1 === hash1 && last.hash2 === hash2 && last.length === length && last.overlap === overlap;
    if (last !== undefined && isLast) return last;
    const tokens = this.#merger.merge(piece);
    const { borders } = this.#merger;
    const final = finalTokens(borders, piece, tokens, overlap);
    const chars = charsOf(piece, at(borders, final));
    const longest = longestToken(borders, tokens);
    this.#last = { hash1, hash2, length, overlap, tokens, final, chars, longest };
    return this.#last;
  }
}

/** Moves forward by a number of characters without splitting a surrogate pair. */
function windowEnd(text: string, start: number, to: number, chars: number): number {
  const end = start + chars;
  if (end >= to) return to;
  return (text.charCodeAt(end) & 0xfc00) === 0xdc00 ? end - 1 : end;
}

function longestToken(borders: Int32Array, tokens: number): number {
  let longest = 0;
  for (let i = 0; i < tokens; i += 1) longest = Math.max(longest, at(borders, i + 1) - at(borders, i));
  return longest;
}

/** Counts the tokens that end before the overlap, at the end of a character. */
function finalTokens(borders: Int32Array, piece: Piece, tokens: number, overlap: number): number {
  let final = tokens;
  const isFinal = (border: number) => border <= piece.length - overlap && (at(piece.bytes, border) & 0xc0) !== 0x80;
  while (final > 0 && !isFinal(at(borders, final))) final -= 1;
  return final;
}

function charsOf(piece: Piece, length: number): number {
  let chars = 0;
  for (let i = 0; i < length; i += 1) {
    const byte = at(piece.bytes, i);
    // First byte of a character. Four-byte characters are two UTF-16 units.
    if ((byte & 0xc0) !== 0x80) chars += byte >= 0xf0 ? 2 : 1;
  }
  return chars;
}
