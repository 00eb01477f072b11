import { grow } from "./resize-array.ts";

/** The vectors of the documents as signed bytes, one row per document, and the signs of their components as bits. */
export class Vectors {
  #dimensions = 0;
  #rows: Int8Array = new Int8Array(0);
  /** Reciprocal length of each row; 0 if the document has no vector. */
  #scales: Float32Array = new Float32Array(16);
  /** Created at the first request, because few spaces are large enough to need them. */
  #sketches: Uint32Array = new Uint32Array(0);
  #sketched = 0;
  #length = 0;

  get dimensions(): number {
    return this.#dimensions;
  }

  /** Adds the vector of the next document, if it has one. The first vector sets the number of dimensions. */
  add(bytes: Uint8Array | undefined): void {
    const document = this.#length;
    this.#length += 1;
    this.#scales = grow(this.#scales, this.#length);
    this.#scales[document] = 0;
    if (bytes === undefined || bytes.length === 0) return;
    if (this.#dimensions === 0) this.#dimensions = bytes.length;
    if (bytes.length !== this.#dimensions) return;
    this.#rows = grow(this.#rows, this.#length * this.#dimensions);
    const start = document * this.#dimensions;
    let square = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      // Converts the byte to a signed one.
      const value = ((bytes[at] as number) << 24) >> 24;
      this.#rows[start + at] = value;
      square += value * value;
    }
    this.#scales[document] = square === 0 ? 0 : 1 / Math.sqrt(square);
  }

  has(document: number): boolean {
    return (this.#scales[document] as number) > 0;
  }

  /** The vector of a document, scaled. */
  row(document: number): Int8Array | undefined {
    const start = document * this.#dimensions;
    return this.has(document) ? this.#rows.subarray(start, start + this.#dimensions) : undefined;
  }

  /** The cosine of a document's vector and a vector from {@link wholeNumbers}. */
  cosine(document: number, { values, scale }: WholeNumbers): number {
    const product = multiply(this.#rows, document * this.#dimensions, values);
    return product * scale * (this.#scales[document] as number);
  }

  /** Writes the cosines of all documents that are marked by 1 and have a vector. Other elements stay unchanged. */
  cosines(marked: Uint8Array, { values, scale }: WholeNumbers, cosines: Float32Array): void {
    const rows = this.#rows;
    const scales = this.#scales;
    const dimensions = this.#dimensions;
    for (let document = 0; document < marked.length; document += 1) {
      const own = scales[document] as number;
      if (marked[document] !== 1 || own === 0) continue;
      cosines[document] = multiply(rows, document * dimensions, values) * scale * own;
    }
  }

  /** Creates the missing sketches. */
  sketchAll(): void {
    const words = Math.ceil(this.#dimensions / 32);
    this.#sketches = grow(this.#sketches, this.#length * words);
    for (let document = this.#sketched; document < this.#length; document += 1) {
      if (this.has(document)) this.#sketches.set(sketch(this.row(document) ?? []), document * words);
    }
    this.#sketched = this.#length;
  }

  /** Number of components whose signs differ between a document's vector and a sketch. */
  signsApart(document: number, other: Uint32Array): number {
    const words = other.length;
    const start = document * words;
    let apart = 0;
    for (let at = 0; at < words; at += 1) {
      let bits = (this.#sketches[start + at] as number) ^ (other[at] as number);
      bits -= (bits >>> 1) & 0x55555555;
      bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
      apart += Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
    }
    return apart;
  }

  /** Removes the documents that are not in `kept`, and renumbers the others in order. */
  keep(kept: Uint32Array): void {
    kept.forEach((document, renumbered) => {
      this.#scales[renumbered] = this.#scales[document] as number;
      if (!this.has(document)) return;
      this.#rows.copyWithin(
        renumbered * this.#dimensions,
        document * this.#dimensions,
        (document + 1) * this.#dimensions,
      );
    });
    this.#length = kept.length;
    this.#sketched = 0;
  }
}

/** A vector as integers, which are faster to multiply. */
export interface WholeNumbers {
  readonly values: Int32Array;
  /** Factor that converts an integer product to the original scale. */
  readonly scale: number;
}

/** Dot product of a row and a vector. The four independent sums can run in parallel in the processor. */
function multiply(rows: Int8Array, start: number, values: Int32Array): number {
  const length = values.length;
  const byFour = length - (length % 4);
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let at = 0, row = start; at < byFour; at += 4, row += 4) {
    a = (a + Math.imul(rows[row] as number, values[at] as number)) | 0;
    b = (b + Math.imul(rows[row + 1] as number, values[at + 1] as number)) | 0;
    c = (c + Math.imul(rows[row + 2] as number, values[at + 2] as number)) | 0;
    d = (d + Math.imul(rows[row + 3] as number, values[at + 3] as number)) | 0;
  }
  for (let at = byFour; at < length; at += 1) {
    a = (a + Math.imul(rows[start + at] as number, values[at] as number)) | 0;
  }
  return (a + b + c + d) | 0;
}

/** With this factor, dot products with signed bytes stay below 2^31 for unit vectors. */
const LARGEST = 32_767;

/** A unit vector as integers. */
export function wholeNumbers(vector: Float32Array): WholeNumbers {
  return { values: Int32Array.from(vector, (value) => Math.round(value * LARGEST)), scale: 1 / LARGEST };
}

/** The signs of a vector's components, one bit each. */
export function sketch(vector: ArrayLike<number>): Uint32Array {
  const words = new Uint32Array(Math.ceil(vector.length / 32));
  for (let at = 0; at < vector.length; at += 1) {
    if ((vector[at] as number) < 0) words[at >> 5] = (words[at >> 5] as number) | (1 << (at & 31));
  }
  return words;
}
