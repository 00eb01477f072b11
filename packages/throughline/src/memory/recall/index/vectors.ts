import { unpackVector } from "../packed-vector.ts";
import type { ColumnReader, ColumnWriter } from "./columns.ts";
import { grow } from "./resize-array.ts";
import { openScanMemory, type ScanRows } from "./scan-kernel.ts";

/** The kernel reads this many bytes of a row at a time. */
const LANES = 16;
/** Number of documents from which the rows are in a WebAssembly memory. Each memory reserves address space. */
const MIN_SCANNED = 2_048;

/** New memories have room for more rows by this factor. */
const SPARE_ROWS = 1.25;

/** A query vector as integers. */
export interface WholeNumbers {
  readonly values: Int16Array;
  /** Factor that converts an integer product to a cosine with a row of unit length. */
  readonly scale: number;
}

/** With this factor, products of unit vectors with signed bytes stay below 2^31 for up to 260,000 dimensions. */
const LARGEST = 32_767;

/** A vector as integers, scaled to unit length. */
export function wholeNumbers(vector: Float32Array): WholeNumbers {
  const length = Math.hypot(...vector) || 1;
  return { values: Int16Array.from(vector, (value) => Math.round((value * LARGEST) / length)), scale: 1 / LARGEST };
}

/** The vectors of the documents as signed bytes, one row per document. */
export class Vectors {
  #dimensions = 0;
  /** Bytes per row: the dimensions, padded. */
  #stride = 0;
  #rows: Int8Array = new Int8Array(0);
  /** Second bytes of the components, without padding; empty if no vector has them. */
  #fine: Int8Array = new Int8Array(0);
  /** Reciprocal length of each row; 0 if the document has no vector. */
  #scales: Float32Array = new Float32Array(16);
  #length = 0;
  #products: Int32Array = new Int32Array(0);
  #kernel: { readonly scan: ScanRows; readonly query: Int16Array } | undefined;
  #usesKernel: boolean;

  /** `usesKernel` is false in tests of the fallback. */
  constructor(usesKernel: boolean = true) {
    this.#usesKernel = usesKernel;
  }

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
    const { high, low } = unpackVector(bytes);
    if (this.#dimensions === 0) {
      this.#dimensions = high.length;
      this.#stride = LANES * Math.ceil(high.length / LANES);
    }
    if (high.length !== this.#dimensions) return;
    this.#reserve();
    this.#rows.set(high, document * this.#stride);
    if (low !== undefined || this.#fine.length > 0) {
      this.#fine = grow(this.#fine, this.#length * this.#dimensions);
      const start = document * this.#dimensions;
      if (low === undefined) this.#fine.fill(0, start, start + this.#dimensions);
      else this.#fine.set(low, start);
    }
    let square = 0;
    for (let at = 0; at < high.length; at += 1) {
      const value = (high[at] as number) + (low === undefined ? 0 : (low[at] as number) / 256);
      square += value * value;
    }
    this.#scales[document] = square === 0 ? 0 : 1 / Math.sqrt(square);
  }

  /** True if the components of vectors have second bytes. */
  get isFine(): boolean {
    return this.#fine.length > 0;
  }

  /** Product of all bytes of a document's vector with a query, which is not rounded: close vectors differ by little. */
  fineProduct(document: number, query: Float32Array): number {
    const [row, fine] = [document * this.#stride, document * this.#dimensions];
    let [high, low] = [0, 0];
    for (let at = 0; at < query.length; at += 1) {
      const value = query[at] as number;
      high += value * (this.#rows[row + at] as number);
      low += value * (this.#fine[fine + at] ?? 0);
    }
    return high + low / 256;
  }

  /** Reciprocal lengths of the rows, for loops over all documents; 0 if the document has no vector. */
  get scales(): Float32Array {
    return this.#scales;
  }

  /** The vector of a document, scaled. */
  row(document: number): Int8Array | undefined {
    const start = document * this.#stride;
    return (this.#scales[document] as number) > 0 ? this.#rows.subarray(start, start + this.#dimensions) : undefined;
  }

  /**
   * Products of all rows with a query, for documents with a vector. The same integers with and without WebAssembly. The
   * result is valid until the next call.
   */
  multiply({ values }: WholeNumbers): Int32Array {
    if (this.#kernel !== undefined) {
      const { scan, query } = this.#kernel;
      query.set(values);
      const { byteOffset, length } = this.#rows;
      // The last documents may have no vectors and no rows.
      const end = byteOffset + Math.min(length, this.#length * this.#stride);
      scan(byteOffset, end, this.#stride, query.byteOffset, this.#products.byteOffset);
      return this.#products;
    }
    this.#products = grow(this.#products, this.#length);
    for (let document = 0; document < this.#length; document += 1) {
      if (this.#scales[document] === 0) continue;
      this.#products[document] = multiply(this.#rows, document * this.#stride, values);
    }
    return this.#products;
  }

  /** Removes the documents that are not in `kept`, and renumbers the others in order. */
  keep(kept: Uint32Array): void {
    const stride = this.#stride;
    kept.forEach((document, renumbered) => {
      this.#scales[renumbered] = this.#scales[document] as number;
      this.#rows.copyWithin(renumbered * stride, document * stride, (document + 1) * stride);
      const dimensions = this.#dimensions;
      this.#fine.copyWithin(renumbered * dimensions, document * dimensions, (document + 1) * dimensions);
    });
    this.#length = kept.length;
  }

  /** Packs the vectors of all documents. */
  pack(writer: ColumnWriter): void {
    writer.add(Uint32Array.of(this.#dimensions));
    writer.add(this.#scales.subarray(0, this.#length));
    writer.add(this.#rows.subarray(0, Math.min(this.#rows.length, this.#length * this.#stride)));
    writer.add(this.#fine.subarray(0, Math.min(this.#fine.length, this.#length * this.#dimensions)));
  }

  /** Takes over what {@link pack} has written. */
  unpack(reader: ColumnReader): void {
    this.#dimensions = reader.next(Uint32Array)[0] ?? 0;
    this.#stride = LANES * Math.ceil(this.#dimensions / LANES);
    this.#scales = reader.next(Float32Array);
    this.#length = this.#scales.length;
    this.#rows = reader.next(Int8Array);
    this.#fine = reader.next(Int8Array);
    if (this.#dimensions > 0) this.#reserve();
  }

  /** Bytes of memory. */
  get bytes(): number {
    return [this.#rows, this.#fine, this.#scales, this.#products].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** Makes room for the rows of all documents. */
  #reserve(): void {
    const bytes = this.#length * this.#stride;
    if (bytes <= this.#rows.length && (this.#kernel !== undefined || this.#length < MIN_SCANNED || !this.#usesKernel))
      return;
    const capacity = Math.ceil(SPARE_ROWS * this.#length);
    const queryBytes = 2 * this.#stride;
    const isLarge = this.#usesKernel && this.#length >= MIN_SCANNED;
    const memory = isLarge ? openScanMemory(queryBytes + capacity * (4 + this.#stride)) : undefined;
    if (memory === undefined) {
      if (isLarge) this.#usesKernel = false;
      this.#kernel = undefined;
      this.#rows = grow(this.#rows, bytes);
      return;
    }
    const { buffer, scan } = memory;
    const before = this.#rows;
    this.#products = new Int32Array(buffer, queryBytes, capacity);
    this.#rows = new Int8Array(buffer, queryBytes + 4 * capacity, capacity * this.#stride);
    this.#rows.set(before);
    this.#kernel = { scan, query: new Int16Array(buffer, 0, this.#stride) };
  }
}

/** Dot product of a row and a vector. The four independent sums can run in parallel in the processor. */
function multiply(rows: Int8Array, start: number, values: Int16Array): number {
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
