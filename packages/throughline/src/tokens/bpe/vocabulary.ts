import { at, Piece } from "./piece.ts";
import type { TokenRanks } from "./token-ranks.ts";

/** No token: larger than every rank. */
export const NO_RANK = 0x7fffffff;

const MAX_TOKEN_BYTES = 255;

/** Looks up the rank of a byte range by its hashes, in one flat table without strings. */
export class Vocabulary {
  readonly longest: number;
  readonly #table: Int32Array;
  readonly #shift: number;
  readonly #mask: number;
  /** Ranks of all byte pairs: the start of every merge. */
  readonly #pairs = new Int32Array(0x10000).fill(NO_RANK);

  constructor({ lengths, bytes }: TokenRanks) {
    const bits = Math.ceil(Math.log2(lengths.length)) + 1;
    this.#shift = 32 - bits;
    this.#mask = (1 << bits) - 1;
    this.#table = new Int32Array(3 << bits);
    const piece = new Piece(MAX_TOKEN_BYTES);
    let [longest, start] = [0, 0];
    lengths.forEach((length, rank) => {
      if (length === 0) return;
      piece.loadBytes(bytes.subarray(start, start + length));
      this.#insert(piece, rank);
      start += length;
      longest = Math.max(longest, length);
    });
    this.longest = longest;
  }

  #insert(piece: Piece, rank: number): void {
    const { bytes, length } = piece;
    const h1 = piece.hash1(0, length);
    let slot = this.#slot(h1);
    while (at(this.#table, 3 * slot + 2) !== 0) slot = (slot + 1) & this.#mask;
    this.#table.set([h1, piece.hash2(0, length), rank + 1], 3 * slot);
    if (length === 2) this.#pairs[(at(bytes, 0) << 8) | at(bytes, 1)] = rank;
  }

  #slot(hash: number): number {
    return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> this.#shift;
  }

  rank(piece: Piece, start: number, end: number): number {
    if (end - start > this.longest) return NO_RANK;
    const h1 = piece.hash1(start, end);
    const table = this.#table;
    for (let slot = this.#slot(h1); ; slot = (slot + 1) & this.#mask) {
      const entry = at(table, 3 * slot + 2);
      if (entry === 0) return NO_RANK;
      if (at(table, 3 * slot) === h1 && at(table, 3 * slot + 1) === piece.hash2(start, end)) return entry - 1;
    }
  }

  pairRank(first: number, second: number): number {
    return at(this.#pairs, (first << 8) | second);
  }
}
