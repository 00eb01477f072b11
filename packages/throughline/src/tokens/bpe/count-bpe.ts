import { Merger } from "./merge.ts";
import { at, Piece } from "./piece.ts";
import { NO_RANK, type Ranks, Vocabulary } from "./vocabulary.ts";

/**
 * Merging takes time in the square of a piece's length, so a long piece is merged in windows. A window is counted up
 * to a border of tokens well before its end, where what follows no longer matters, and the next one starts there.
 */
const SHORT = { chars: 72, overlap: 24 };
/** For stretches with long tokens, such as a line of dashes: windows that hold several of them. */
const LONG = { chars: 1024, overlap: 260 };
/** How many windows stay long once one had to be. */
const STAY_LONG = 8;
/** Three bytes a character at most, and two characters for four. */
const CAPACITY = 3 * LONG.chars + 8;
/** The regular expression engine runs out of stack on a run of several million characters. */
const SEGMENT = 1 << 20;

/** Counts by byte-pair encoding, exactly, in time proportional to the text whatever the text is. */
export function createBpeCount(ranks: Ranks, pattern: RegExp): (text: string) => number {
  const vocabulary = new Vocabulary(ranks);
  const piece = new Piece(CAPACITY);
  const merger = new Merger(vocabulary, CAPACITY);
  const words = new RegExp(pattern.source, "gu");

  const countWord = (text: string, from: number, to: number): number => {
    if (to - from === 1 && text.charCodeAt(from) < 0x80) return 1;
    if (to - from > SHORT.chars) return countLong(text, from, to);
    piece.load(text, from, to);
    return vocabulary.rank(piece, 0, piece.length) === NO_RANK ? merger.merge(piece) : 1;
  };

  const countLong = (text: string, from: number, to: number): number => {
    let count = 0;
    let long = 0;
    let start = from;
    for (;;) {
      const { chars, overlap } = long > 0 ? LONG : SHORT;
      const end = windowEnd(text, start, to, chars);
      piece.load(text, start, end);
      const tokens = merger.merge(piece);
      if (end === to) return count + tokens;
      if (long === 0 && longestToken(merger.borders, tokens) * 2 > overlap) {
        long = STAY_LONG;
        continue;
      }
      long = Math.max(0, long - 1);
      const settled = settledTokens(merger.borders, piece, tokens, overlap);
      count += settled === 0 ? tokens : settled;
      start = settled === 0 ? end : start + charsOf(piece, at(merger.borders, settled));
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
