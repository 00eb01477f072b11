import { CAPACITY, SHORT, WindowCounter, windowEnd } from "./count-windows.ts";
import { Merger } from "./merge.ts";
import { Piece } from "./piece.ts";
import type { TokenRanks } from "./token-ranks.ts";
import { NO_RANK, Vocabulary } from "./vocabulary.ts";

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
  constructor(ranks: TokenRanks, words: string) {
    this.#vocabulary = new Vocabulary(ranks);
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
      if (!words.test(segment) || words.lastIndex === from) throw new Error(`No word of the encoding at ${from}.`);
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
