import { at, type Piece } from "./piece.ts";
import { NO_RANK, type Vocabulary } from "./vocabulary.ts";

/** Merges the bytes of a piece to tokens, as byte-pair encoding does: the pair of the lowest rank first. */
export class Merger {
  /** Where each token begins, and behind the last the end of the piece. */
  readonly borders: Int32Array;
  readonly #vocabulary: Vocabulary;
  /** The rank that each token has together with the next. */
  readonly #ranks: Int32Array;

  constructor(vocabulary: Vocabulary, capacity: number) {
    this.#vocabulary = vocabulary;
    this.borders = new Int32Array(capacity + 1);
    this.#ranks = new Int32Array(capacity + 1);
  }

  /** The number of tokens; `borders` then says where they are. */
  merge(piece: Piece): number {
    let count = piece.length;
    let lowest = this.#start(piece);
    while (lowest !== NO_RANK) {
      count = this.#mergeAll(piece, count, lowest);
      lowest = this.#lowest(count);
    }
    return count;
  }

  #start(piece: Piece): number {
    const { bytes, length } = piece;
    let lowest = NO_RANK;
    for (let i = 0; i < length; i += 1) {
      const rank = i < length - 1 ? this.#vocabulary.pairRank(at(bytes, i), at(bytes, i + 1)) : NO_RANK;
      this.borders[i] = i;
      this.#ranks[i] = rank;
      if (rank < lowest) lowest = rank;
    }
    this.borders[length] = length;
    return lowest;
  }

  #lowest(count: number): number {
    let lowest = NO_RANK;
    for (let i = 0; i < count; i += 1) {
      const rank = at(this.#ranks, i);
      if (rank < lowest) lowest = rank;
    }
    return lowest;
  }

  /** Merges every pair of that rank in one pass from left to right: a run of one letter takes a pass per doubling. */
  #mergeAll(piece: Piece, count: number, lowest: number): number {
    const { borders } = this;
    const ranks = this.#ranks;
    const vocabulary = this.#vocabulary;
    let out = 0;
    for (let i = 0; i < count; ) {
      const start = at(borders, i);
      let rank = at(ranks, i);
      if (rank === lowest) {
        if (out > 0) ranks[out - 1] = vocabulary.rank(piece, at(borders, out - 1), at(borders, i + 2));
        rank = i + 2 < count ? vocabulary.rank(piece, start, at(borders, i + 3)) : NO_RANK;
        i += 2;
      } else {
        i += 1;
      }
      borders[out] = start;
      ranks[out] = rank;
      out += 1;
    }
    borders[out] = piece.length;
    return out;
  }
}
