import { at, type Piece } from "./piece.ts";
import { NO_RANK, type Vocabulary } from "./vocabulary.ts";

/**
 * A heap key holds the rank in the high bits and the position in the low bits, so keys sort by rank, then by position.
 */
const PLACE_BITS = 12;
const PLACE_MASK = (1 << PLACE_BITS) - 1;

/**
 * Merges the bytes of a piece into tokens by byte-pair encoding: lowest rank first, leftmost first among equals. A heap
 * of pairs avoids scanning all pairs for each merge.
 */
export class Merger {
  /** After `merge`: start of each token, followed by the end of the piece. */
  readonly borders: Int32Array;
  readonly #vocabulary: Vocabulary;
  /** By start of a token: next token, previous token, and rank of the pair with the next token. */
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #ranks: Int32Array;
  readonly #heap: Int32Array;
  #size = 0;

  constructor(vocabulary: Vocabulary, capacity: number) {
    if (capacity > PLACE_MASK)
      throw new RangeError(`Capacity ${capacity} is too large: a piece has at most ${PLACE_MASK} bytes.`);
    this.#vocabulary = vocabulary;
    this.borders = new Int32Array(capacity + 1);
    this.#next = new Int32Array(capacity + 1);
    this.#previous = new Int32Array(capacity + 1);
    this.#ranks = new Int32Array(capacity + 1);
    // One entry per byte at the start, and two new pairs per merge.
    this.#heap = new Int32Array(3 * capacity);
  }

  /** Merges a piece and returns the number of tokens. */
  merge(piece: Piece): number {
    this.#start(piece);
    while (this.#size > 0) {
      const key = this.#pop();
      const place = key & PLACE_MASK;
      // Skips pairs whose tokens were merged meanwhile.
      if (at(this.#ranks, place) === key >> PLACE_BITS) this.#join(piece, place);
    }
    return this.#markBorders(piece.length);
  }

  #start({ bytes, length }: Piece): void {
    this.#size = 0;
    for (let i = 0; i < length; i += 1) {
      this.#next[i] = i + 1;
      this.#previous[i] = i - 1;
      this.#wait(i, i < length - 1 ? this.#vocabulary.pairRank(at(bytes, i), at(bytes, i + 1)) : NO_RANK);
    }
  }

  #join(piece: Piece, place: number): void {
    const end = at(this.#next, at(this.#next, place));
    this.#ranks[at(this.#next, place)] = NO_RANK;
    this.#next[place] = end;
    if (end < piece.length) this.#previous[end] = place;
    this.#wait(place, end < piece.length ? this.#vocabulary.rank(piece, place, at(this.#next, end)) : NO_RANK);
    const before = at(this.#previous, place);
    if (before >= 0) this.#wait(before, this.#vocabulary.rank(piece, before, end));
  }

  #wait(place: number, rank: number): void {
    this.#ranks[place] = rank;
    if (rank === NO_RANK) return;
    const heap = this.#heap;
    const key = (rank << PLACE_BITS) | place;
    let i = this.#size;
    this.#size += 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = at(heap, parent);
      if (above <= key) break;
      heap[i] = above;
      i = parent;
    }
    heap[i] = key;
  }

  #pop(): number {
    const heap = this.#heap;
    const top = at(heap, 0);
    this.#size -= 1;
    const size = this.#size;
    const key = at(heap, size);
    let i = 0;
    for (let child = 1; child < size; child = 2 * i + 1) {
      if (child + 1 < size && at(heap, child + 1) < at(heap, child)) child += 1;
      if (at(heap, child) >= key) break;
      heap[i] = at(heap, child);
      i = child;
    }
    heap[i] = key;
    return top;
  }

  #markBorders(length: number): number {
    let count = 0;
    for (let place = 0; place < length; place = at(this.#next, place)) {
      this.borders[count] = place;
      count += 1;
    }
    this.borders[count] = length;
    return count;
  }
}
