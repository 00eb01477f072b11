import type { Merger } from "./merge.ts";
import { at, type Piece } from "./piece.ts";

/**
 * Long pieces are merged in windows, so memory is bounded and time is linear. A window is counted up to a token border
 * far enough from its end that the following text cannot change it; the next window starts there.
 */
export const SHORT = { chars: 256, overlap: 24 };
/** Windows for stretches with long tokens, such as a line of dashes. */
const LONG = { chars: 1024, overlap: 260 };
/** Number of windows that stay long after one had to be. */
const STAY_LONG = 8;
/** Up to three bytes per character; two characters take four bytes. */
export const CAPACITY = 3 * LONG.chars + 8;

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
export class WindowCounter {
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
export function windowEnd(text: string, start: number, to: number, chars: number): number {
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
