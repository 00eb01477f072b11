import type { Encoding, TokenRanks } from "./token-ranks.ts";

/** No token: larger than every rank. */
export const NO_RANK = 0x7fffffff;

/** Number of byte pairs, and the place of the table behind the length of the longest token and the ranks of pairs. */
const PAIRS = 0x10000;
const TABLE = 1 + PAIRS;

/**
 * The ranks of an encoding as one array, which can be stored: the length of the longest token, the ranks of all byte
 * pairs, and a table of tokens by their hashes.
 */
export function packVocabulary({ lengths, bytes }: TokenRanks): Int32Array<ArrayBuffer> {
  const bits = Math.ceil(Math.log2(lengths.length)) + 1;
  const packed = new Int32Array(TABLE + (3 << bits));
  packed.fill(NO_RANK, 1, TABLE);
  packed[0] = fill(packed, lengths, bytes);
  return packed;
}

/** True for an array that {@link packVocabulary} can have made, and not for a file of zeros or a part of one. */
function isPackedVocabulary(packed: Int32Array): boolean {
  const slots = (packed.length - TABLE) / 3;
  return (packed[0] ?? 0) > 0 && slots > 1 && Number.isInteger(Math.log2(slots));
}

/** Enters all tokens and returns the length of the longest. A plain loop: every process that counts runs it once. */
function fill(packed: Int32Array, lengths: Uint8Array, bytes: Uint8Array): number {
  const table = packed.subarray(TABLE);
  const { shift, mask } = slotsOf(table);
  let longest = 0;
  let start = 0;
  for (let rank = 0; rank < lengths.length; rank += 1) {
    const length = at(lengths, rank);
    if (length === 0) continue;
    let h1 = 0;
    let h2 = 0;
    const end = start + length;
    for (let i = start; i < end; i += 1) {
      const byte = at(bytes, i) + 1;
      h1 = (Math.imul(h1, FACTOR_1) + byte) | 0;
      h2 = (Math.imul(h2, FACTOR_2) + byte) | 0;
    }
    let slot = slotOf(h1, shift);
    while (at(table, 3 * slot + 2) !== 0) slot = (slot + 1) & mask;
    table[3 * slot] = h1;
    table[3 * slot + 1] = h2;
    table[3 * slot + 2] = rank + 1;
    if (length === 2) packed[1 + ((at(bytes, start) << 8) | at(bytes, start + 1))] = rank;
    if (length > longest) longest = length;
    start = end;
  }
  return longest;
}

/** Looks up the rank of a byte range by its hashes, in one flat table without strings. */
export class Vocabulary {
  readonly longest: number;
  readonly #table: Int32Array;
  readonly #shift: number;
  readonly #mask: number;
  /** Ranks of all byte pairs: the start of every merge. */
  readonly #pairs: Int32Array;

  /** @param packed Made by {@link packVocabulary}. */
  constructor(packed: Int32Array) {
    this.longest = at(packed, 0);
    this.#pairs = packed.subarray(1, TABLE);
    this.#table = packed.subarray(TABLE);
    const { shift, mask } = slotsOf(this.#table);
    this.#shift = shift;
    this.#mask = mask;
  }

  rank(piece: Piece, start: number, end: number): number {
    if (end - start > this.longest) return NO_RANK;
    const h1 = piece.hash1(start, end);
    const table = this.#table;
    for (let slot = slotOf(h1, this.#shift); ; slot = (slot + 1) & this.#mask) {
      const entry = at(table, 3 * slot + 2);
      if (entry === 0) return NO_RANK;
      if (at(table, 3 * slot) === h1 && at(table, 3 * slot + 1) === piece.hash2(start, end)) return entry - 1;
    }
  }

  pairRank(first: number, second: number): number {
    return at(this.#pairs, (first << 8) | second);
  }
}

/** The number of slots is a power of two. */
function slotsOf(table: Int32Array): { readonly shift: number; readonly mask: number } {
  const slots = table.length / 3;
  return { shift: 1 + Math.clz32(slots), mask: slots - 1 };
}

function slotOf(hash: number, shift: number): number {
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> shift;
}

/** Keeps packed vocabularies between processes: building one takes longer than counting a short text. */
interface VocabularyCache {
  load(encoding: Encoding): Int32Array | undefined;
  store(encoding: Encoding, packed: Int32Array<ArrayBuffer>): void;
}

let used: VocabularyCache | undefined;

/** Sets the cache for all later counts of this process. */
export function useVocabularyCache(cache: VocabularyCache): void {
  used = cache;
}

/** The packed vocabulary of an encoding, from the cache if there is one. */
export function cachedVocabulary(encoding: Encoding, build: () => Int32Array<ArrayBuffer>): Int32Array {
  const known = used?.load(encoding);
  if (known !== undefined && isPackedVocabulary(known)) return known;
  const packed = build();
  used?.store(encoding, packed);
  return packed;
}

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

/** Factors of the rolling hashes. */
const FACTOR_1 = 0x01000193;
const FACTOR_2 = 0x5bd1e995;

/**
 * UTF-8 bytes of a short text with rolling hashes. The hash of any byte range costs two multiplications, so lookups
 * need no substrings.
 */
export class Piece {
  readonly bytes: Uint8Array;
  length = 0;
  readonly #hash1: Int32Array;
  readonly #hash2: Int32Array;
  readonly #power1: Int32Array;
  readonly #power2: Int32Array;

  constructor(capacity: number) {
    this.bytes = new Uint8Array(capacity);
    this.#hash1 = new Int32Array(capacity + 1);
    this.#hash2 = new Int32Array(capacity + 1);
    this.#power1 = powers(FACTOR_1, capacity + 1);
    this.#power2 = powers(FACTOR_2, capacity + 1);
  }

  /** Loads the characters from `from` to `to`. The text must not contain lone surrogates. */
  load(text: string, from: number, to: number): void {
    const { bytes } = this;
    let n = 0;
    for (let i = from; i < to; i += 1) {
      let code = text.charCodeAt(i);
      if (code < 0x80) {
        bytes[n++] = code;
      } else if (code < 0x800) {
        bytes[n++] = 0xc0 | (code >> 6);
        bytes[n++] = 0x80 | (code & 63);
      } else if ((code & 0xfc00) === 0xd800) {
        i += 1;
        code = 0x10000 + ((code & 0x3ff) << 10) + (text.charCodeAt(i) & 0x3ff);
        bytes[n++] = 0xf0 | (code >> 18);
        bytes[n++] = 0x80 | ((code >> 12) & 63);
        bytes[n++] = 0x80 | ((code >> 6) & 63);
        bytes[n++] = 0x80 | (code & 63);
      } else {
        bytes[n++] = 0xe0 | (code >> 12);
        bytes[n++] = 0x80 | ((code >> 6) & 63);
        bytes[n++] = 0x80 | (code & 63);
      }
    }
    this.#hash(n);
  }

  #hash(length: number): void {
    this.length = length;
    let h1 = 0;
    let h2 = 0;
    for (let i = 0; i < length; i += 1) {
      const byte = at(this.bytes, i) + 1;
      h1 = (Math.imul(h1, FACTOR_1) + byte) | 0;
      h2 = (Math.imul(h2, FACTOR_2) + byte) | 0;
      this.#hash1[i + 1] = h1;
      this.#hash2[i + 1] = h2;
    }
  }

  /** The two hashes together identify a token. */
  hash1(start: number, end: number): number {
    return (at(this.#hash1, end) - Math.imul(at(this.#hash1, start), at(this.#power1, end - start))) | 0;
  }

  hash2(start: number, end: number): number {
    return (at(this.#hash2, end) - Math.imul(at(this.#hash2, start), at(this.#power2, end - start))) | 0;
  }
}

function powers(factor: number, length: number): Int32Array {
  const list = new Int32Array(length).fill(1);
  for (let i = 1; i < length; i += 1) list[i] = Math.imul(at(list, i - 1), factor);
  return list;
}

/** Reads an entry that is known to exist: all loops stay within bounds. */
export function at(list: Int32Array | Uint8Array, index: number): number {
  return list[index] as number;
}
