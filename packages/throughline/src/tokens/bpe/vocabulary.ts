import { at, FACTOR_1, FACTOR_2, type Piece } from "./piece.ts";
import type { TokenRanks } from "./token-ranks.ts";

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
export function isPackedVocabulary(packed: Int32Array): boolean {
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
