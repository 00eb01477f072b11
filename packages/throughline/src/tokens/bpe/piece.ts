/** Factors of the rolling hashes. */
export const FACTOR_1 = 0x01000193;
export const FACTOR_2 = 0x5bd1e995;

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
