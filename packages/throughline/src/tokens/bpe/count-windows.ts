import type { Merger } from "./merge.ts";
import { at, type Piece } from "./piece.ts";

/**
 * A long piece is merged in windows, so that it takes neither more room nor more time for each of its characters. A
 * window is counted up to a border of tokens well before its end, where what follows no longer matters, and the next one
 * starts there.
 */
export const SHORT = { chars: 256, overlap: 24 };
/** For stretches with long tokens, such as a line of dashes: windows that hold several of them. */
const LONG = { chars: 1024, overlap: 260 };
/** How many windows stay long once one had to be. */
const STAY_LONG = 8;
/** Three bytes a character at most, and two characters for four. */
export const CAPACITY = 3 * LONG.chars + 8;

/** What a window came to; the last one is kept, because a run of one letter is the same window again and again. */
interface CountedWindow {
  readonly hash1: number;
  readonly hash2: number;
  readonly length: number;
  readonly overlap: number;
  readonly tokens: number;
  /** How many tokens no longer depend on what follows, and how many characters these are. */
  readonly settled: number;
  readonly chars: number;
  readonly longest: number;
}

/** Counts the tokens of pieces that are too long to be merged at once. */
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
      count += window.settled === 0 ? window.tokens : window.settled;
      start = window.settled === 0 ? end : start + window.chars;
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
    const settled = settledTokens(borders, piece, tokens, overlap);
    const chars = charsOf(piece, at(borders, settled));
    const longest = longestToken(borders, tokens);
    this.#last = { hash1, hash2, length, overlap, tokens, settled, chars, longest };
    return this.#last;
  }
}

/** So many characters further, but not between the two halves of one. */
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

/** How many tokens end before the overlap, at the end of a character. */
function settledTokens(borders: Int32Array, piece: Piece, tokens: number, overlap: number): number {
  let settled = tokens;
  const isSettled = (border: number) => border <= piece.length - overlap && (at(piece.bytes, border) & 0xc0) !== 0x80;
  while (settled > 0 && !isSettled(at(borders, settled))) settled -= 1;
  return settled;
}

function charsOf(piece: Piece, length: number): number {
  let chars = 0;
  for (let i = 0; i < length; i += 1) {
    const byte = at(piece.bytes, i);
    // A byte that begins a character; four bytes are two characters of JavaScript.
    if ((byte & 0xc0) !== 0x80) chars += byte >= 0xf0 ? 2 : 1;
  }
  return chars;
}
