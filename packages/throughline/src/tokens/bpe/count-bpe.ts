import { Merger } from "./merge.ts";
import { at, Piece } from "./piece.ts";
import { NO_RANK, type Ranks, Vocabulary } from "./vocabulary.ts";

/**
 * A long piece is merged in windows, so that it takes neither more room nor more time for each of its characters. A
 * window is counted up to a border of tokens well before its end, where what follows no longer matters, and the next one
 * starts there.
 */
const SHORT = { chars: 256, overlap: 24 };
/** For stretches with long tokens, such as a line of dashes: windows that hold several of them. */
const LONG = { chars: 1024, overlap: 260 };
/** How many windows stay long once one had to be. */
const STAY_LONG = 8;
/** Three bytes a character at most, and two characters for four. */
const CAPACITY = 3 * LONG.chars + 8;
/** The regular expression engine runs out of stack on a run of several million characters. */
const SEGMENT = 1 << 20;

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

/** Counts by byte-pair encoding, exactly, in time proportional to the text whatever the text is. */
export function createBpeCount(ranks: Ranks, pattern: RegExp): (text: string) => number {
  const vocabulary = new Vocabulary(ranks);
  const piece = new Piece(CAPACITY);
  const merger = new Merger(vocabulary, CAPACITY);
  const words = new RegExp(pattern.source, "gu");

  const countWord = (text: string, from: number, to: number): number => {
    const first = text.charCodeAt(from);
    const second = text.charCodeAt(from + 1);
    if (to - from === 1 && first < 0x80) return 1;
    // Half of what base64 falls apart into.
    if (to - from === 2 && (first | second) < 0x80) return vocabulary.pairRank(first, second) === NO_RANK ? 2 : 1;
    if (to - from > SHORT.chars) return countLong(text, from, to);
    piece.load(text, from, to);
    return vocabulary.rank(piece, 0, piece.length) === NO_RANK ? merger.merge(piece) : 1;
  };

  let last: CountedWindow | undefined;
  const countWindow = (overlap: number): CountedWindow => {
    const { length } = piece;
    const hash1 = piece.hash1(0, length);
    const hash2 = piece.hash2(0, length);
    const isLast = last?.hash1 === hash1 && last.hash2 === hash2 && last.length === length && last.overlap === overlap;
    if (last !== undefined && isLast) return last;
    const tokens = merger.merge(piece);
    const settled = settledTokens(merger.borders, piece, tokens, overlap);
    const chars = charsOf(piece, at(merger.borders, settled));
    last = { hash1, hash2, length, overlap, tokens, settled, chars, longest: longestToken(merger.borders, tokens) };
    return last;
  };

  const countLong = (text: string, from: number, to: number): number => {
    let count = 0;
    let long = 0;
    let start = from;
    for (;;) {
      const { chars, overlap } = long > 0 ? LONG : SHORT;
      const end = windowEnd(text, start, to, chars);
      piece.load(text, start, end);
      const window = countWindow(overlap);
      if (end === to) return count + window.tokens;
      if (long === 0 && window.longest * 2 > overlap) {
        long = STAY_LONG;
        continue;
      }
      long = Math.max(0, long - 1);
      count += window.settled === 0 ? window.tokens : window.settled;
      start = window.settled === 0 ? end : start + window.chars;
    }
  };

  /** Counts the words of a segment; the last few may be cut short by its end, so they are left to the next one. */
  const countSegment = (segment: string, isLast: boolean): { tokens: number; chars: number } => {
    const starts = [0, 0, 0, 0];
    const counts = [0, 0, 0, 0];
    let tokens = 0;
    words.lastIndex = 0;
    for (let from = 0, n = 0; from < segment.length; n = (n + 1) & 3) {
      starts[n] = from;
      counts[n] = tokens;
      words.test(segment);
      tokens += countWord(segment, from, words.lastIndex);
      from = words.lastIndex;
    }
    const oldest = Math.min(...starts);
    if (isLast || oldest === 0) return { tokens, chars: segment.length };
    return { tokens: Math.min(...counts), chars: oldest };
  };

  return (input) => {
    const text = input.toWellFormed();
    let tokens = 0;
    for (let start = 0; start < text.length; ) {
      const end = windowEnd(text, start, text.length, SEGMENT);
      const counted = countSegment(
        start === 0 && end === text.length ? text : text.slice(start, end),
        end === text.length,
      );
      tokens += counted.tokens;
      start += counted.chars;
    }
    return tokens;
  };
}

/** Not between the two halves of one character. */
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
