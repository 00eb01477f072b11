import { at, type Piece } from "./piece.ts";
import { NO_RANK, type Vocabulary } from "./vocabulary.ts";

/** A place in a piece takes the low bits of a key, its rank the others, so that keys sort by rank and then by place. */
const PLACE_BITS = 12;
const PLACE_MASK = (1 << PLACE_BITS) - 1;

/**
 * Merges the bytes of a piece to tokens, as byte-pair encoding does: the pair of the lowest rank first, the leftmost of
 * several. Pairs wait in a heap, so that the next one is found without looking at all of them.
 */
export class Merger {
  /** After `merge`: where each token begins, and behind the last the end of the piece. */
  readonly borders: Int32Array;
  readonly #vocabulary: Vocabulary;
  /** By the place where a token begins: the token after it, the one before it, and the rank of it and the next. */
  readonly #next: Int32Array;
  readonly #previous: Int32Array;
  readonly #ranks: Int32Array;
  readonly #heap: Int32Array;
  #size = 0;

  constructor(vocabulary: Vocabulary, capacity: number) {
    if (capacity > PLACE_MASK) throw new RangeError(`A piece has at most ${PLACE_MASK} bytes.`);
    this.#vocabulary = vocabulary;
    this.borders = new Int32Array(capacity + 1);
    this.#next = new Int32Array(capacity + 1);
    this.#previous = new Int32Array(capacity + 1);
    this.#ranks = new Int32Array(capacity + 1);
    // Each byte waits once at the start, and each merge makes two new pairs.
    this.#heap = new Int32Array(3 * capacity);
  }

  /** The number of tokens. */
  merge(piece: Piece): number {
    this.#start(piece);
    while (this.#size > 0) {
      const key = this.#pop();
      const place = key & PLACE_MASK;
      // A pair whose tokens have been merged with others meanwhile is no longer there.
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
